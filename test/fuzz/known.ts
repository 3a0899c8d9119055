// What the replies of a run have taught: orders by what can follow them, stored cards, forms on pages. Requests are
// made from it, so that most of them are about something that exists.

import type { OperationName } from '../../src/operations/index.ts';
import { hiddenFields } from '../scenarios/form-payer.ts';
import type { Chance } from './chance.ts';

/** Where an order was sent: an endpoint, or a group and a currency of it. */
export type Place = { readonly path: string; readonly currency: string; readonly asksPayer?: true };

export type KnownOrder = {
  readonly orderId: string;
  readonly clientOrderId: string;
  readonly place: Place;
  readonly since: number;
};

/** What the merchant hands in next, for an order of 3-D Secure. */
export type Step = { readonly order: KnownOrder; readonly fields: Readonly<Record<string, string>> };
type StepKind = 'method' | 'cres' | 'pares';

/** A form as a page shows it. */
export type KnownForm = { readonly path: string; readonly hidden: Readonly<Record<string, string>> };

export type Reply = Readonly<Record<string, string | undefined>>;

const MOST_KNOWN = 400;
/** By then the bank has answered. */
const SETTLED_MS = 1_500;

const KINDS: Partial<Record<OperationName, 'sale' | 'preauth' | 'checked'>> = {
  SALE: 'sale',
  SALE_V4: 'sale',
  REBILL: 'sale',
  REBILL_SALE: 'sale',
  PREAUTH: 'preauth',
  REBILL_PREAUTH: 'preauth',
  PAYOUT_V4_CHECK: 'checked',
};

export class Known {
  readonly orders = {
    sale: [] as KnownOrder[],
    preauth: [] as KnownOrder[],
    checked: [] as KnownOrder[],
    asksPayer: [] as KnownOrder[],
    other: [] as KnownOrder[],
  };
  readonly cards: string[] = [];
  readonly storedCards: string[] = [];
  readonly recurring: string[] = [];
  readonly steps: Record<StepKind, Step[]> = { method: [], cres: [], pares: [] };
  /** Paths of pages for payers, and the forms that were found on them. */
  readonly pages: string[] = [];
  readonly forms: KnownForm[] = [];

  /** One that the bank has surely answered, if there is any. */
  settled(kind: keyof Known['orders'], chance: Chance, now: number): KnownOrder | undefined {
    const old = this.orders[kind].filter(({ since }) => since < now - SETTLED_MS);
    return old.length === 0 ? undefined : chance.oneOf(old);
  }

  /** One that nothing else will follow. */
  taken(kind: keyof Known['orders'], chance: Chance, now: number): KnownOrder | undefined {
    const one = this.settled(kind, chance, now);
    if (one) this.orders[kind].splice(this.orders[kind].indexOf(one), 1);
    return one;
  }

  learn(operation: OperationName, place: Place, reply: Reply, now: number): void {
    const { 'paynet-order-id': orderId, 'merchant-order-id': clientOrderId, 'redirect-url': page } = reply;
    if (orderId && clientOrderId) {
      const kind = KINDS[operation];
      const order = { orderId, clientOrderId, place, since: now };
      if (kind) keep(this.orders[place.asksPayer && kind !== 'checked' ? 'asksPayer' : kind], order);
      else if (operation.endsWith('FORM')) keep(this.orders.other, order);
      else if (operation === 'STATUS' || operation === 'STATUS_V4') this.#learnStep(order, reply);
    }
    if (page && URL.canParse(page)) keep(this.pages, new URL(page).pathname);
    if (reply['card-ref-id']) keep(this.cards, reply['card-ref-id']);
    const stored = reply['recurring-payment-id'];
    if (stored) keep(operation === 'CREATE_RP_V4' ? this.recurring : this.storedCards, stored);
  }

  #learnStep(order: KnownOrder, reply: Reply): void {
    const threeDSServerTransID = reply['tds-method-url-frame-3ds-server-trans-id'];
    if (reply['tds-status'] === 'method-url' && threeDSServerTransID) {
      keep(this.steps.method, { order, fields: { threeDSServerTransID } });
    }
    if (reply['redirect-to'] && URL.canParse(reply['redirect-to'])) {
      keep(this.pages, new URL(reply['redirect-to']).pathname);
    }
  }

  /** The form of a page that was opened. */
  learnForm(path: string, page: string): void {
    if (page.includes('<form')) keep(this.forms, { path, hidden: hiddenFields(page) });
  }
}

/** The newest stay. */
function keep<T>(list: T[], one: T): void {
  list.push(one);
  if (list.length > MOST_KNOWN) list.shift();
}
