// A history before it happens: what merchants will ask and what will go wrong, all of it drawn from one seed. Both are
// lists, so that a history that fails can be made smaller by leaving things out.

import { type Random, seededRandom } from '../../src/acquirers/simulator/seeded-random.ts';
import { AUTHENTICATED, LIMITED, ROUTED } from './house.ts';

/** Equal numbers are equal cards, e-mail addresses and network addresses. */
export type Payer = { readonly card: number; readonly email: number; readonly address: number };

/** What the issuer of a card says when 3-D Secure asks it, and what its payer does. */
export type Issuer = {
  readonly word: 'Y' | 'N' | 'U' | 'C';
  /** The first question is not answered. */
  readonly isSilent: boolean;
  /** The merchant told of the payer's browser with the order. */
  readonly isBrowserTold: boolean;
  readonly comes: boolean;
  /** How a challenge ends, when the networks tell it and when the browser is back. */
  readonly result: 'passed' | 'failed' | 'never';
  readonly resultMs: number;
  readonly browserMs: number;
};

/** A payer opens a form in a tab of its own, and sends a card if one is asked for, once or twice. */
export type Visit = {
  /** After the merchant had the link. */
  readonly afterMs: number;
  readonly typingMs: number;
  readonly cvv: string;
  readonly clicks: number;
  /** After a decline the payer goes back to the shop instead. */
  readonly leaves?: boolean;
};

/** `id` names it for later ones; `at` is milliseconds after the beginning. */
export type Operation = { readonly id: number; readonly at: number } & (
  | {
      readonly kind: 'sale' | 'preauth';
      readonly merchant: number;
      readonly amount: number;
      /** The simulated bank's rules: 123 approves, 101 declines, 909 fails, 217 is in doubt first. */
      readonly cvv: string;
      readonly told: 'nobody' | 'server' | 'notify' | 'both';
      readonly keyed: boolean;
      /** Equal numbers are equal controls, which is allowed once. */
      readonly control: number | undefined;
      /** Amounts to try when the one before is declined. */
      readonly alternatives: readonly number[];
      /** Who pays, where somebody counts it. */
      readonly payer?: Payer;
      /** Where payers are authenticated. */
      readonly issuer?: Issuer;
    }
  | {
      readonly kind: 'capture' | 'return' | 'void';
      readonly of: number;
      /** Of the order's amount; a void takes all. */
      readonly percent: number;
      readonly keyed: boolean;
    }
  | { readonly kind: 'payout'; readonly merchant: number; readonly amount: number; readonly waits: boolean }
  | { readonly kind: 'confirm'; readonly of: number }
  | { readonly kind: 'transfer'; readonly merchant: number; readonly amount: number; readonly receives: boolean }
  | { readonly kind: 'recurring'; readonly merchant: number; readonly amount: number; readonly days: number }
  | {
      readonly kind: 'form';
      readonly merchant: number;
      readonly type: 'sale' | 'preauth';
      readonly amount: number;
      readonly told: 'nobody' | 'server' | 'notify' | 'both';
      /** What the payer does with it; nothing, if it never comes. */
      readonly visits: readonly Visit[];
      readonly issuer?: Issuer;
    }
  /** The same request once more, while the first may be under way. */
  | { readonly kind: 'repeat'; readonly of: number }
  | { readonly kind: 'status'; readonly of: number; readonly control: number }
  | { readonly kind: 'nonce'; readonly merchant: number; readonly nonce: number }
);

export type MessageFate = {
  readonly end: 'answered' | 'refused' | 'request-lost' | 'answer-lost';
  readonly requestDelayMs: number;
  readonly answerDelayMs: number;
};

/** `step` counts the steps of the history, `index` the calls of that sort. */
export type Disturbance =
  | { readonly kind: 'crash'; readonly step: number; readonly node: number; readonly downMs: number }
  | { readonly kind: 'pause'; readonly step: number; readonly node: number; readonly ms: number }
  | {
      readonly kind: 'commit';
      readonly index: number;
      readonly fault: 'not-written' | 'acknowledgement-lost' | 'slow';
      readonly ms: number;
    }
  | { readonly kind: 'storage-outage'; readonly at: number; readonly ms: number }
  | ({ readonly kind: 'bank-message'; readonly index: number } & MessageFate)
  | { readonly kind: 'bank-outage'; readonly at: number; readonly ms: number }
  | { readonly kind: 'callback'; readonly index: number; readonly end: 'hangs' | 'fails' | 'refuses' | 'answer-lost' };

export type Plan = {
  /** Of everything that is left to chance while it happens. */
  readonly seed: number;
  readonly nodes: number;
  /** One node that alone has the database, and so takes over at once what it left behind. */
  readonly isEmbedded: boolean;
  readonly operations: readonly Operation[];
  readonly disturbances: readonly Disturbance[];
};

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** How long merchants go on asking. */
const SPAN_MS = 2 * MINUTE;

/** Steps and calls within which things go wrong: about as many as a history has while merchants ask. */
const STEPS = 260;
const COMMITS = 45;
const MESSAGES = 30;
const CALLBACKS = 10;

const CODES = ['123', '123', '123', '123', '101', '217'];
/** Where several banks may be asked, some fail. */
const ROUTED_CODES = ['123', '123', '909', '909', '101', '217'];

export function planOf(seed: number): Plan {
  const draw = drawing(seededRandom(seed));
  const nodes = draw.one([1, 1, 2, 2, 2, 3]);
  const operations: Operation[] = [];
  const count = draw.between(2, 9);
  const home = draw.one([0, 0, 0, 0, 0, LIMITED, LIMITED, AUTHENTICATED]);
  while (operations.length < count) operations.push(operationOf(draw, operations, home));
  const disturbances = Array.from({ length: draw.between(0, 8) }, () => disturbanceOf(draw, nodes));
  return { seed, nodes, isEmbedded: nodes === 1 && draw.chance(0.5), operations, disturbances };
}

function operationOf(draw: Drawing, earlier: readonly Operation[], home: number): Operation {
  const id = earlier.length;
  const payments = earlier.filter(({ kind }) => kind === 'sale' || kind === 'preauth' || kind === 'form');
  const orders = earlier.filter(({ kind }) => ['sale', 'preauth', 'form', 'payout', 'transfer'].includes(kind));
  const waiting = earlier.filter((one) => one.kind === 'payout' && one.waits);
  const merchant = draw.chance(0.8) ? home : 1;
  const own = { id, at: draw.between(0, SPAN_MS) };
  const after = (of: Operation) => ({
    id,
    of: of.id,
    at: of.at + (draw.chance(0.7) ? draw.between(300, 20 * SECOND) : draw.between(0, 2 * HOUR)),
  });
  const amount = draw.one([1_000, 2_500, 4_000]);
  const last = earlier.at(-1);
  if (last?.kind === 'status' && draw.chance(0.5)) {
    // About another order, with the control of the one before.
    return { ...after(draw.one(orders)), kind: 'status', control: last.control };
  }
  if (last && 'percent' in last && draw.chance(0.3)) return { ...last, id, at: last.at + draw.between(0, 100) };
  // Where limits are, many pay.
  const roll = home === LIMITED && draw.chance(0.5) ? 99 : draw.between(0, 99);
  if (roll < 26 && payments.length > 0) {
    const of = draw.one(payments);
    const kind = draw.one(
      of.kind === 'preauth' || ('type' in of && of.type === 'preauth')
        ? (['capture', 'capture', 'return', 'void'] as const)
        : (['return', 'void'] as const),
    );
    return { ...after(of), kind, percent: draw.one([30, 50, 60, 100, 120]), keyed: draw.chance(0.5) };
  }
  if (roll < 36 && orders.length > 0) {
    const of = draw.one(orders);
    return { id, kind: 'repeat', of: of.id, at: of.at + draw.between(0, 3 * SECOND) };
  }
  if (roll < 46 && orders.length > 0)
    return { ...after(draw.one(orders)), kind: 'status', control: draw.one([0, 0, 1]) };
  if (roll < 50) return { ...own, kind: 'nonce', merchant, nonce: draw.between(0, 1) };
  if (roll < 56 && waiting.length > 0) return { ...after(draw.one(waiting)), kind: 'confirm' };
  if (roll < 62) return { ...own, kind: 'payout', merchant, amount, waits: draw.chance(0.5) };
  if (roll < 70 && merchant !== AUTHENTICATED)
    return { ...own, kind: 'transfer', merchant, amount, receives: draw.chance(0.7) };
  if (roll < 73 && merchant !== LIMITED) {
    return { ...own, kind: 'recurring', merchant, amount, days: draw.between(1, 3) };
  }
  const told = draw.one(['nobody', 'nobody', 'server', 'notify', 'both'] as const);
  const asked = merchant === AUTHENTICATED ? { issuer: issuerOf(draw) } : {};
  if (roll < 82 && merchant !== LIMITED) {
    const type = draw.one(['sale', 'preauth'] as const);
    return { ...own, kind: 'form', merchant, type, amount, told, visits: visitsOf(draw), ...asked };
  }
  // And some of them at the same time.
  const burst = merchant === LIMITED && last && draw.chance(0.6) ? { at: last.at + draw.between(0, 20) } : {};
  return {
    ...own,
    ...burst,
    kind: draw.chance(0.5) ? 'sale' : 'preauth',
    merchant,
    amount,
    cvv: draw.one(merchant === ROUTED ? ROUTED_CODES : CODES),
    told,
    keyed: draw.chance(0.3),
    control: draw.chance(0.3) ? draw.between(0, 1) : undefined,
    alternatives: draw.chance(0.1) ? [600, 400] : [],
    ...(merchant === LIMITED ? { payer: payerOf(draw) } : {}),
    ...asked,
  };
}

/** One tab after the other, or two at once; now and then when the form's time is nearly over. */
function visitsOf(draw: Drawing): Visit[] {
  const visits: Visit[] = [];
  let afterMs = draw.chance(0.2) ? draw.between(29.5 * MINUTE, 30 * MINUTE) : draw.between(0, 30 * SECOND);
  for (let count = draw.between(0, 6); count > 0; count--) {
    const cvv = draw.one(['123', '123', '101', '101', '217']);
    const typingMs = draw.between(0, 20 * SECOND);
    visits.push({ afterMs, typingMs, cvv, clicks: draw.one([1, 1, 2]), leaves: typingMs % 4 === 0 });
    if (draw.chance(0.6)) afterMs += draw.chance(0.9) ? draw.between(0, MINUTE) : draw.between(0, 35 * MINUTE);
  }
  return visits;
}

function issuerOf(draw: Drawing): Issuer {
  const wait = () => (draw.chance(0.8) ? draw.between(0, 20 * SECOND) : draw.between(0, 20 * MINUTE));
  return {
    word: draw.one(['Y', 'Y', 'N', 'U', 'C', 'C', 'C', 'C']),
    isSilent: draw.chance(0.1),
    isBrowserTold: draw.chance(0.5),
    comes: draw.chance(0.9),
    result: draw.one(['passed', 'passed', 'passed', 'failed', 'never']),
    resultMs: wait(),
    browserMs: wait(),
  };
}

function payerOf(draw: Drawing): Payer {
  return { card: draw.between(0, 1), email: draw.between(0, 1), address: draw.between(0, 1) };
}

function disturbanceOf(draw: Drawing, nodes: number): Disturbance {
  const node = draw.between(0, nodes - 1);
  const roll = draw.between(0, 99);
  const long = () => (draw.chance(0.5) ? draw.between(0, 5 * SECOND) : draw.between(0, 2 * MINUTE));
  // Most are longer than a lease.
  const pastLease = () => (draw.chance(0.7) ? draw.between(40 * SECOND, 2 * MINUTE) : draw.between(0, 10 * SECOND));
  if (roll < 18) return { kind: 'crash', step: draw.between(1, STEPS), node, downMs: long() };
  if (roll < 32) return { kind: 'pause', step: draw.between(1, STEPS), node, ms: pastLease() };
  if (roll < 50) {
    const fault = draw.one(['not-written', 'acknowledgement-lost', 'slow'] as const);
    const ms = fault === 'slow' || draw.chance(0.4) ? pastLease() : 0;
    return { kind: 'commit', index: draw.between(0, COMMITS), fault, ms };
  }
  if (roll < 54) return { kind: 'storage-outage', at: draw.between(0, SPAN_MS), ms: draw.between(0, 20 * SECOND) };
  if (roll < 82) {
    const end = draw.one(['answered', 'refused', 'request-lost', 'answer-lost', 'answer-lost'] as const);
    const delay = () => (draw.chance(0.5) ? 0 : long());
    return {
      kind: 'bank-message',
      index: draw.between(0, MESSAGES),
      end,
      requestDelayMs: delay(),
      answerDelayMs: delay(),
    };
  }
  if (roll < 88) {
    const ms = draw.one([30 * SECOND, 5 * MINUTE, 3 * HOUR]);
    return { kind: 'bank-outage', at: draw.between(0, SPAN_MS), ms: draw.between(0, ms) };
  }
  return {
    kind: 'callback',
    index: draw.between(0, CALLBACKS),
    end: draw.one(['hangs', 'fails', 'refuses', 'answer-lost']),
  };
}

type Drawing = {
  between(from: number, to: number): number;
  chance(of: number): boolean;
  one<T>(list: readonly T[]): T;
};

function drawing(random: Random): Drawing {
  const between = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  return {
    between,
    chance: (of) => random() < of,
    one: (list) => list[between(0, list.length - 1)] as (typeof list)[number],
  };
}
