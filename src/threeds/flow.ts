// The course of an authentication, as a pure function from an event to the next step, which is written down before
// anything is done about it. The issuer's word reaches us in the ARes or, when the payer was challenged, in the RReq of
// the directory server. What a browser brings only says where the payer is.

import { Secret } from '../domain/secret.ts';
import type {
  AuthenticationRecord,
  AuthenticationStep,
  MethodCompletion,
  Protocol2,
  TakenKind,
} from '../domain/three-d-secure/authentication-record.ts';
import type { PayerBrowser, ToldOfBrowser } from '../domain/three-d-secure/payer-browser.ts';
import { type ARes, type CRes, isSameId, type PARes, type RReq } from './messages/index.ts';
import { type At, concluded, type Moved, over } from './outcome.ts';

/** How long the directory server may take to send the result after the browser has come back. */
export const RESULT_WAIT_MS = 60_000;

/** How many transaction ids one authentication may use: a second one is used when a node died with the first. */
export const MAX_REQUESTS = 2;

export type FlowEvent =
  | { readonly type: 'left-out' }
  | ({ readonly type: 'range-found' } & Range)
  | { readonly type: 'range-not-found' }
  /** The card networks cannot be asked, or what they answered cannot be used. */
  | { readonly type: 'unavailable'; readonly reason: string }
  /** `seen`: what a method page of our own saw of the browser. */
  | { readonly type: 'method-done'; readonly transactionId: string; readonly seen?: ToldOfBrowser }
  | ({ readonly type: 'browser-told' } & Told)
  /** The node that asked the issuer died; another one asks again under this new id. */
  | { readonly type: 'taken-over'; readonly transactionId: string }
  | { readonly type: 'answered'; readonly ares: ARes }
  | { readonly type: 'result'; readonly rreq: RReq; readonly digest: string }
  /** The digest is missing when the browser brought nothing that could be read. */
  | { readonly type: 'browser-back'; readonly said: CRes['transStatus'] | 'error'; readonly digest: string | undefined }
  | { readonly type: 'enrolled'; readonly step: Extract<AuthenticationStep, { name: 'pareq' }> }
  | { readonly type: 'not-enrolled'; readonly enrolled: 'N' | 'U' }
  | { readonly type: 'pares'; readonly pares: PARes | keyof typeof BAD_PARES; readonly digest: string }
  | { readonly type: 'due' }
  | { readonly type: 'told' };

type Range = {
  readonly protocol: Protocol2;
  readonly transactionId: string;
  readonly methodUrl: string | undefined;
  /** Given when the merchant sent the browser's facts with the order. */
  readonly browser: PayerBrowser | undefined;
  readonly notificationUrl: string;
};

type Told = {
  readonly transactionId: string;
  readonly browser: PayerBrowser;
  readonly completion: MethodCompletion | undefined;
  readonly notificationUrl: string;
  readonly digest: string | undefined;
};

/** `proof` is the issuer's proof, which is sealed in the same write as the change. */
export type FlowChange = { readonly record: AuthenticationRecord; readonly proof?: Secret<string> };

/** Why something that came from outside is not accepted. */
export type NotTakenReason = 'repeated' | 'contradicts' | 'not-pending' | 'too-late' | 'foreign';

/** The change that follows from the event, the reason why it is refused, or undefined when nothing follows. */
export function next(
  record: AuthenticationRecord,
  event: FlowEvent,
  moment: { now: number; leaseMs: number },
): FlowChange | NotTakenReason | undefined {
  const digest = 'digest' in event ? event.digest : undefined;
  const kind = TAKEN_BY[event.type];
  const earlier = kind && record.taken[kind];
  if (digest !== undefined && earlier !== undefined) return earlier === digest ? 'repeated' : 'contradicts';
  const moved = moment.now >= record.until ? tooLate(record, event) : follow(record, event);
  if (moved === undefined || typeof moved === 'string') return moved;
  const taken = kind && digest !== undefined ? { ...record.taken, [kind]: digest } : record.taken;
  const dueAt = dueAfter(moved.to, record, moment);
  const after = { ...record, version: record.version + 1, step: moved.to, taken, dueAt };
  return moved.proof === undefined ? { record: after } : { record: after, proof: new Secret(moved.proof) };
}

const TAKEN_BY: { readonly [type in FlowEvent['type']]?: TakenKind } = {
  'browser-told': 'method',
  'browser-back': 'cres',
  result: 'rreq',
  pares: 'pares',
};

/** Whether this step is work for a node, as opposed to waiting for somebody outside. */
export function isWork(step: AuthenticationStep): boolean {
  if (step.name === 'over') return !step.isTold;
  return step.name === 'looking-up' || step.name === 'requesting' || step.name === 'enrolling';
}

function dueAfter(
  to: AuthenticationStep,
  { step: from, until, dueAt }: AuthenticationRecord,
  { now, leaseMs }: { now: number; leaseMs: number },
): number | undefined {
  if (isWork(to)) return now + leaseMs;
  if (to.name === 'over') return undefined;
  if (to.name !== 'challenge' || to.browserSaid === undefined) return until;
  const isBack = from.name === 'challenge' && from.browserSaid !== undefined;
  return isBack ? dueAt : Math.min(until, now + RESULT_WAIT_MS);
}

function tooLate(record: AuthenticationRecord, event: FlowEvent): Moved | NotTakenReason | undefined {
  const { step } = record;
  if (step.name === 'over') return follow(record, event);
  return isFromOutside(event) ? 'too-late' : over(step, 'U', { reason: 'its time is over', isOutOfTime: true });
}

/** The reason that is given when no version of the protocol knows the card. */
export const NOT_ENROLLED = 'the card takes no part';

type EventOf<Type extends FlowEvent['type']> = Extract<FlowEvent, { type: Type }>;

type Course = {
  readonly [Name in AuthenticationStep['name']]: {
    readonly [Type in FlowEvent['type']]?: (step: At<Name>, event: EventOf<Type>) => Moved | NotTakenReason | undefined;
  };
};

const unavailable = (step: AuthenticationStep, { reason }: EventOf<'unavailable'>) => over(step, 'U', { reason });

/** What follows from an event at each step. */
const COURSE: Course = {
  'looking-up': {
    'left-out': (step) => over(step, 'U', { reason: 'left out in the sandbox', isLeftOut: true }),
    'range-not-found': () => ({ to: { name: 'enrolling' } }),
    'range-found': (_, range) => rangeFound(range),
    unavailable,
  },
  browser: {
    'method-done': (step, { transactionId, seen }) =>
      isSameId(transactionId, step.transactionId) ? methodDone(step, seen) : 'foreign',
    'browser-told': (step, told) =>
      isSameId(told.transactionId, step.transactionId) ? { to: requestOf(step, told) } : 'foreign',
  },
  requesting: {
    answered: (step, { ares }) => answered(step, ares),
    unavailable,
    'taken-over': (step, { transactionId }) => {
      if (step.tries >= MAX_REQUESTS) return over(step, 'U', { reason: 'the question was lost twice' });
      // The method page was shown under the old id, so it does not count for the new one.
      const completion = step.hasMethod ? 'N' : 'U';
      return { to: { ...step, transactionId, completion, tries: step.tries + 1 } };
    },
  },
  challenge: {
    result: (step, { rreq }) => concluded(step, rreq),
    'browser-back': (step, event) => {
      const browserSaid = saidBy(event, step.browserSaid);
      return browserSaid && { to: { ...step, browserSaid } };
    },
    // The issuer wanted a challenge and nobody confirms that it was passed. Such a payer is refused even where 3-D
    // Secure is optional: otherwise a forged result in the browser would be enough to pay.
    due: (step) =>
      step.browserSaid === undefined ? undefined : over(step, 'N', { reason: 'no result came from the network' }),
  },
  enrolling: {
    enrolled: (_, { step: to }) => ({ to }),
    'not-enrolled': (step, { enrolled }) => over(step, 'U', { reason: enrolled === 'N' ? NOT_ENROLLED : 'enrolled U' }),
    unavailable,
  },
  pareq: {
    pares: (step, { pares }) => {
      // This must be a refusal: U would let a payer with a spoiled PARes pay where 3-D Secure is optional.
      if (typeof pares === 'string') return over(step, 'N', { reason: BAD_PARES[pares] });
      const { status: transStatus, eci, cavv: authenticationValue } = pares;
      return concluded(step, { transStatus, eci, authenticationValue });
    },
  },
  over: {
    told: (step) => (step.isTold ? undefined : { to: { ...step, isTold: true } }),
    // The issuer's word came before the browser did: what the browser says is noted, and changes nothing.
    'browser-back': (step, event) => {
      const { outcome } = step;
      if (!outcome.wasChallenged) return 'not-pending';
      const browserSaid = saidBy(event, outcome.browserSaid);
      return browserSaid && { to: { ...step, outcome: { ...outcome, browserSaid } } };
    },
  },
};

/** Senders outside are told that nobody waits for it. Our own late work is dropped: another node has done it. */
function follow({ step }: AuthenticationRecord, event: FlowEvent): Moved | NotTakenReason | undefined {
  const follows = COURSE[step.name][event.type] as
    | ((step: AuthenticationStep, event: FlowEvent) => Moved | NotTakenReason | undefined)
    | undefined;
  return follows ? follows(step, event) : isFromOutside(event) ? 'not-pending' : undefined;
}

function isFromOutside({ type }: FlowEvent): boolean {
  return type in TAKEN_BY || type === 'method-done';
}

/** The issuer is asked at once when this needs neither a method page nor the payer's browser. */
function rangeFound({ protocol, transactionId, methodUrl, browser, notificationUrl }: Range): Moved {
  if (methodUrl !== undefined || browser === undefined) {
    return { to: { name: 'browser', protocol, transactionId, methodUrl, isMethodDone: false } };
  }
  const asked = { protocol, transactionId, hasMethod: false, completion: 'U', browser, notificationUrl } as const;
  return { to: { name: 'requesting', ...asked, tries: 1 } };
}

/** Where the issuer has no method page, only our own can be done. */
function methodDone(step: At<'browser'>, seen: ToldOfBrowser | undefined): Moved | undefined {
  const isOurs = step.methodUrl === undefined;
  if (step.isMethodDone || isOurs !== (seen !== undefined)) return undefined;
  return { to: { ...step, isMethodDone: true, ...(seen ? { seen } : {}) } };
}

/** A method page that does not exist was not completed, whatever the browser says; one that reported back was. */
function requestOf(
  { protocol, transactionId, methodUrl, isMethodDone }: At<'browser'>,
  { browser, completion, notificationUrl }: Told,
): At<'requesting'> {
  const known = isMethodDone ? 'Y' : (completion ?? 'N');
  const hasMethod = methodUrl !== undefined;
  const asked = { protocol, transactionId, hasMethod, browser, notificationUrl };
  return { name: 'requesting', ...asked, completion: !hasMethod ? 'U' : known === 'U' ? 'N' : known, tries: 1 };
}

function answered(step: At<'requesting'>, ares: ARes): Moved {
  const { acsTransID, dsTransID, transStatus, acsURL } = ares;
  const ids = { threeDSServerTransID: step.transactionId, acsTransID, dsTransID };
  if (transStatus === 'C' && acsURL !== undefined) {
    const { protocol } = step;
    const info = ares.cardholderInfo;
    return {
      to: { name: 'challenge', protocol, ids, acsUrl: acsURL, cardholderInfo: info, browserSaid: undefined },
    };
  }
  return concluded(step, ares, ids);
}

const BAD_PARES = {
  untrusted: 'the signature of the PARes is not good',
  unfit: 'the PARes is none of this purchase',
} as const;

/** Undefined when the browser was back before and brings nothing new that can be read. */
function saidBy(
  { said, digest }: Extract<FlowEvent, { type: 'browser-back' }>,
  before: At<'challenge'>['browserSaid'],
): At<'challenge'>['browserSaid'] {
  if (digest === undefined && before !== undefined) return undefined;
  return said === 'Y' || said === 'N' ? said : 'error';
}
