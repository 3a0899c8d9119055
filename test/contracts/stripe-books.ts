// What a Stripe account holds, in memory: payment methods, intents, charges and refunds, with Stripe's rules for what
// may become of them. Stripe's own numbers for tests decide what an issuer says.

export type Params = Readonly<Record<string, string>>;

export type Result = { readonly status: number; readonly body: object };

/** Thrown for what is refused before anything is carried out: the key stays free. */
export class Invalid extends Error {
  readonly result: Result;

  constructor(code: string, { status = 400, ...more }: { status?: number; param?: string } = {}) {
    super(code);
    this.result = { status, body: { error: { type: 'invalid_request_error', code, message: code, ...more } } };
  }
}

type Card = { readonly number: string; readonly cvc: string | undefined };

type ChargeRow = {
  readonly id: string;
  readonly amount: number;
  readonly approved: boolean;
  readonly card: Card;
  captured: number;
  refunded: number;
  held: boolean;
};

type IntentRow = {
  readonly id: string;
  readonly object: 'payment_intent' | 'setup_intent';
  readonly amount: number;
  readonly currency: string;
  readonly capture_method: string;
  readonly metadata: Record<string, string>;
  status: string;
  received: number;
  charge: ChargeRow | undefined;
  error: object | undefined;
  next: object | undefined;
  card: Card | undefined;
};

type RefundRow = {
  readonly id: string;
  readonly object: 'refund';
  readonly payment_intent: string;
  readonly amount: number;
  readonly metadata: Record<string, string>;
  status: string;
  failure_reason?: string;
};

export const CARDS = {
  good: '4242424242424242',
  declined: '4000000000000002',
  poor: '4000000000009995',
  stolen: '4000000000009979',
  expired: '4000000000000069',
  challenged: '4000002500003155',
  badCode: '4000000000000101',
} as const;

const DECLINES: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  [CARDS.declined]: ['card_declined', 'generic_decline'],
  [CARDS.poor]: ['card_declined', 'insufficient_funds'],
  [CARDS.stolen]: ['card_declined', 'stolen_card'],
  [CARDS.expired]: ['expired_card', 'expired_card'],
};

const OPEN = new Set(['requires_payment_method', 'requires_confirmation', 'requires_action']);

export class StripeBooks {
  readonly intents = new Map<string, IntentRow>();
  readonly refunds: RefundRow[] = [];
  /** Every charge that an issuer was asked for. */
  readonly charges: ChargeRow[] = [];
  readonly #cards = new Map<string, Card>();
  /** The status of the next refunds. */
  refundStatus = 'succeeded';
  takesCards = true;
  #counter = 0;

  #id(prefix: string): string {
    this.#counter += 1;
    return `${prefix}_3Test${this.#counter.toString(36).padStart(6, '0')}`;
  }

  addCard(params: Params): Result {
    const number = params['card[number]'] ?? '';
    if (!this.takesCards) throw new Invalid('raw_card_data_not_enabled', { status: 402 });
    if (params.type !== 'card') throw new Invalid('parameter_invalid', { param: 'type' });
    if (!passesLuhn(number)) return refusedCard({ code: 'incorrect_number', decline_code: 'incorrect_number' });
    const id = this.#id('pm');
    this.#cards.set(id, { number, cvc: params['card[cvc]'] });
    return { status: 200, body: { id, object: 'payment_method', type: 'card' } };
  }

  createIntent(object: IntentRow['object'], params: Params): Result {
    const isPayment = object === 'payment_intent';
    const amount = Number(params.amount ?? 0);
    if (isPayment && !(Number.isInteger(amount) && amount > 0)) throw new Invalid('parameter_invalid_integer');
    if (isPayment && amount < 50) throw new Invalid('amount_too_small', { param: 'amount' });
    const row: IntentRow = {
      id: this.#id(isPayment ? 'pi' : 'seti'),
      object,
      amount,
      currency: params.currency ?? '',
      capture_method: params.capture_method ?? 'automatic',
      metadata: metadataIn(params),
      status: 'requires_payment_method',
      received: 0,
      charge: undefined,
      error: undefined,
      next: undefined,
      card: undefined,
    };
    this.intents.set(row.id, row);
    return { status: 200, body: shown(row, params) };
  }

  find(id: string, object: IntentRow['object']): IntentRow {
    const row = this.intents.get(id);
    if (row?.object !== object) throw new Invalid('resource_missing', { status: 404 });
    return row;
  }

  show(row: IntentRow, params: Params): Result {
    return { status: 200, body: shown(row, params) };
  }

  update(row: IntentRow, params: Params): Result {
    Object.assign(row.metadata, metadataIn(params));
    return { status: 200, body: shown(row, params) };
  }

  confirm(row: IntentRow, params: Params): Result {
    const card = this.#cards.get(params.payment_method ?? '');
    if (!card) throw new Invalid('resource_missing', { param: 'payment_method' });
    if (!OPEN.has(row.status)) return unexpected(row);
    row.card = card;
    const cryptogram = params['payment_method_options[card][three_d_secure][cryptogram]'];
    if (card.number === CARDS.challenged && cryptogram === undefined) return this.#challenge(row, params);
    return this.#charge(row, params);
  }

  #challenge(row: IntentRow, params: Params): Result {
    if (params.off_session === 'true' || params.error_on_requires_action === 'true') {
      return this.#fail(row, { code: 'authentication_required', decline_code: 'authentication_required' });
    }
    row.status = 'requires_action';
    const url = `https://hooks.stripe.example/redirect/authenticate/${row.id}?to=${params.return_url}`;
    const redirect = { type: 'redirect_to_url', redirect_to_url: { url, return_url: params.return_url } };
    row.next = params.return_url === undefined ? { type: 'use_stripe_sdk' } : redirect;
    return { status: 200, body: shown(row, params) };
  }

  /** The payer comes back from the issuer. */
  endChallenge(id: string, outcome: 'passed' | 'failed'): void {
    const row = this.intents.get(id);
    if (row?.status !== 'requires_action') throw new Error(`${id} waits for nobody`);
    row.next = undefined;
    if (outcome === 'passed') this.#charge(row, {});
    else {
      row.status = 'requires_payment_method';
      row.error = { type: 'invalid_request_error', code: `${row.object}_authentication_failure` };
    }
  }

  #charge(row: IntentRow, params: Params): Result {
    const card = row.card as Card;
    const [code, decline_code] = DECLINES[card.number] ?? [];
    const charge = {
      id: this.#id('ch'),
      amount: row.amount,
      approved: code === undefined,
      card,
      captured: 0,
      refunded: 0,
      held: code === undefined && row.object === 'payment_intent',
    };
    row.charge = charge;
    if (row.object === 'payment_intent') this.charges.push(charge);
    if (code !== undefined) return this.#fail(row, { code, decline_code });
    row.error = undefined;
    row.status = 'requires_capture';
    if (row.object === 'setup_intent') row.status = 'succeeded';
    else if (row.capture_method !== 'manual') this.#take(row, row.amount);
    return { status: 200, body: shown(row, params) };
  }

  #fail(row: IntentRow, reason: { code: string; decline_code: string | undefined }): Result {
    row.status = 'requires_payment_method';
    const checks = { address_line1_check: null, address_postal_code_check: null, cvc_check: 'pass' };
    row.error = { type: 'card_error', ...reason, payment_method: { id: 'pm_x', card: { checks } } };
    return { status: 402, body: { error: { ...row.error, [row.object]: shown(row, {}) } } };
  }

  #take(row: IntentRow, amount: number): void {
    const charge = row.charge as ChargeRow;
    row.status = 'succeeded';
    row.received = amount;
    charge.captured = amount;
    charge.held = false;
  }

  capture(row: IntentRow, params: Params): Result {
    const amount = Number(params.amount_to_capture ?? row.amount);
    if (row.status !== 'requires_capture') return unexpected(row);
    if (amount > row.amount) throw new Invalid('amount_too_large', { param: 'amount_to_capture' });
    Object.assign(row.metadata, metadataIn(params));
    this.#take(row, amount);
    return { status: 200, body: shown(row, params) };
  }

  cancel(row: IntentRow, params: Params): Result {
    if (!OPEN.has(row.status) && row.status !== 'requires_capture') return unexpected(row);
    row.status = 'canceled';
    if (row.charge) row.charge.held = false;
    return { status: 200, body: shown(row, params) };
  }

  refund(params: Params): Result {
    const row = this.find(params.payment_intent ?? '', 'payment_intent');
    const { charge } = row;
    if (row.status !== 'succeeded' || !charge) throw new Invalid('payment_intent_unexpected_state');
    const left = charge.captured - charge.refunded;
    const amount = Number(params.amount ?? left);
    if (left === 0) throw new Invalid('charge_already_refunded');
    if (amount > left) throw new Invalid('amount_too_large', { param: 'amount' });
    charge.refunded += amount;
    const refund: RefundRow = {
      id: this.#id('re'),
      object: 'refund',
      payment_intent: row.id,
      amount,
      metadata: metadataIn(params),
      status: this.refundStatus,
    };
    this.refunds.push(refund);
    return { status: 200, body: { ...refund } };
  }

  listRefunds(params: Params): Result {
    const data = this.refunds.filter((refund) => refund.payment_intent === params.payment_intent);
    return { status: 200, body: { object: 'list', url: '/v1/refunds', has_more: false, data } };
  }

  search(params: Params): Result {
    const reference = /^metadata\['reference'\]:'(.*)'$/.exec(params.query ?? '')?.[1];
    if (reference === undefined) throw new Invalid('parameter_invalid', { param: 'query' });
    const data = [...this.intents.values()].filter((row) => row.metadata.reference === reference);
    return { status: 200, body: { object: 'search_result', has_more: false, data: data.map((row) => shown(row, {})) } };
  }

  /** The one payment with this reference. */
  paymentOf(reference: string): IntentRow {
    const found = [...this.intents.values()].filter((row) => row.metadata.reference === reference);
    if (found.length !== 1) throw new Error(`${found.length} intents have the reference ${reference}`);
    return found[0] as IntentRow;
  }

  /** What cardholders are out of now: what is held, and what was taken and not given back. */
  outstanding(): number {
    const approved = this.charges.filter((charge) => charge.approved);
    return approved.reduce((sum, one) => sum + (one.held ? one.amount : one.captured - one.refunded), 0);
  }
}

function metadataIn(params: Params): Record<string, string> {
  const fields = Object.entries(params).flatMap(([name, value]) => {
    const key = /^metadata\[(\w+)\]$/.exec(name)?.[1];
    return key === undefined ? [] : [[key, value] as const];
  });
  return Object.fromEntries(fields);
}

function unexpected(row: IntentRow): Result {
  const code = `${row.object}_unexpected_state`;
  return { status: 400, body: { error: { type: 'invalid_request_error', code, [row.object]: shown(row, {}) } } };
}

function refusedCard(reason: object): Result {
  return { status: 402, body: { error: { type: 'card_error', ...reason } } };
}

function shown(row: IntentRow, params: Params): object {
  const { id, object, status, metadata, charge, error, next } = row;
  const isPayment = object === 'payment_intent';
  const attempt = isPayment ? 'latest_charge' : 'latest_attempt';
  const isExpanded = Object.entries(params).some(([name, value]) => name.startsWith('expand') && value === attempt);
  const any = { id, object, status, metadata: { ...metadata }, livemode: false, next_action: next ?? null };
  const attempted = { [attempt]: charge ? (isExpanded ? shownCharge(charge) : charge.id) : null };
  if (!isPayment) return { ...any, ...attempted, last_setup_error: error ?? null };
  return {
    ...any,
    ...attempted,
    amount: row.amount,
    currency: row.currency,
    amount_received: row.received,
    amount_capturable: status === 'requires_capture' ? row.amount : 0,
    capture_method: row.capture_method,
    last_payment_error: error ?? null,
  };
}

function shownCharge({ id, amount, captured, refunded, card, approved }: ChargeRow): object {
  const cvc_check = card.cvc === undefined ? null : card.number === CARDS.badCode ? 'fail' : 'pass';
  const checks = { address_line1_check: 'pass', address_postal_code_check: 'fail', cvc_check };
  const network = { network_transaction_id: approved ? `net${id.slice(-6)}` : null, authorization_code: '831000' };
  return {
    id,
    object: 'charge',
    amount,
    amount_captured: captured,
    amount_refunded: refunded,
    payment_method_details: { type: 'card', card: { brand: 'visa', checks, ...network } },
  };
}

function passesLuhn(number: string): boolean {
  const sum = [...number].reverse().reduce((total, digit, place) => {
    const value = Number(digit) * (place % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return /^\d{12,19}$/.test(number) && sum % 10 === 0;
}
