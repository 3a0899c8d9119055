// What merchants do, from many hands at once: nearly everything the interface has, alone or with their payers.

import { TEST_CARDS } from '../../src/threeds/index.ts';
import { CARD, newOrderId, pause, type ReplyBody, saleFields, sha1 } from '../harness.ts';
import { BROWSER, REQUIRED, sale } from '../scenarios/authenticating.ts';
import { formRequest } from '../scenarios/form-payer.ts';
import { chargeRecurring, createCardReference, createRecurring, rebill } from '../scenarios/stored-cards.ts';
import { type FormEntry, PAYER_LIMIT_MS, Payers } from './payers.ts';
import { FINAL_LIMIT_MS, idempotent, Requests, type RequestsOptions } from './requests.ts';

const LONGEST_PAUSE_MS = 60;

/** Not the one that is declined for good now and then: a stored card must stay chargeable. */
const STORED_CARD = '5555555555554444';

/** Mostly approved; some declined, some the bank takes its time for. */
const CODES = ['123', '123', '123', '123', '116', '209', '1234', '123', '123', '217'];
const DECLINED = '116';

/** Cards whose issuers ask the payer or do not, with and without a look at the browser before. */
const ISSUERS = ['frictionless', 'frictionlessMethod', 'challenge', 'challengeMethod', 'challenge21'] as const;
/** Mostly the right password. */
const PAYERS_ANSWERS = [['hint'], ['hint'], ['hint'], ['wrong', 'hint'], ['cancel']] as const;

/** How long issuers wait for a payer, and how long one who comes too late lets them wait. */
export const ISSUER_PATIENCE_MS = 6_000;
const LATE_MS = ISSUER_PATIENCE_MS + 1_500;

export type MerchantsOptions = RequestsOptions & { readonly hands: number };

export class Merchants {
  /** References and recurring payments that can be charged again. */
  readonly #references: string[] = [];
  readonly #recurring: string[] = [];
  readonly #options: MerchantsOptions;
  readonly #requests: Requests;
  readonly #payers: Payers;
  /** Payers who are still on their way, though nobody waits for them. */
  readonly #onTheirWay = new Set<Promise<unknown>>();
  #over = false;
  #running: Promise<unknown> | undefined;

  constructor(options: MerchantsOptions) {
    this.#options = options;
    this.#requests = new Requests(options);
    const origins = () => options.clients.map(({ baseUrl }) => new URL(baseUrl).origin);
    this.#payers = new Payers({ origins, random: options.random });
  }

  get counts(): ReadonlyMap<string, number> {
    return this.#requests.counts;
  }

  get complaints(): readonly string[] {
    return [...this.#requests.complaints, ...this.#payers.complaints];
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: this.#options.hands }, () => this.#work()));
  }

  /** Nothing new; requests under way go on until they are answered, and payers until they are done. */
  async stop(): Promise<void> {
    this.#over = true;
    this.#requests.close();
    await this.#running;
    await Promise.all(this.#onTheirWay);
  }

  /** What a hand may do next, and how often of all. */
  readonly #stories: readonly (readonly [weight: number, tell: () => Promise<void>])[] = [
    [30, () => this.#sale()],
    [12, () => this.#preauth()],
    [6, () => this.#verification()],
    [8, () => this.#storedCard()],
    [10, () => this.#rebill()],
    [8, () => this.#payout()],
    [8, () => this.#transfer()],
    [4, () => this.#newRecurring()],
    [6, () => this.#recurringCharge()],
    [6, () => this.#eligibility()],
    [12, () => this.#authenticatedSale()],
    [12, () => this.#form()],
    [8, () => this.#status()],
  ];

  async #work(): Promise<void> {
    while (!this.#over) {
      await this.#story()();
      await pause(this.#options.random() * LONGEST_PAUSE_MS);
    }
  }

  #story(): () => Promise<void> {
    const total = this.#stories.reduce((sum, [weight]) => sum + weight, 0);
    let left = this.#options.random() * total;
    for (const [weight, tell] of this.#stories) {
      left -= weight;
      if (left < 0) return tell;
    }
    return () => this.#sale();
  }

  // ── Orders ─────────────────────────────────────────────────────────────────────────────────────────────────────────

  async #sale(): Promise<void> {
    const sale = await this.#requests.order(
      'sale',
      { cvv2: this.#code() },
      this.#requests.keyed((client) => client.sale),
    );
    if (!sale || this.#requests.chance(0.5)) return;
    if (!(await this.#requests.isApproved(sale))) return;
    if (this.#requests.chance(0.4)) return void (await this.#requests.followUp('void', sale));
    await this.#requests.followUp('return', sale, { amount: '1.00', currency: 'USD' });
    if (this.#requests.chance(0.5)) await this.#requests.followUp('return', sale, { amount: '0.50', currency: 'USD' });
  }

  async #preauth(): Promise<void> {
    const hold = await this.#requests.order(
      'preauth',
      { cvv2: this.#code() },
      this.#requests.keyed((client) => client.preauth),
    );
    if (!hold || !(await this.#requests.isApproved(hold))) return;
    const captured = await this.#requests.followUp('capture', hold, { amount: '0.70', currency: 'USD' });
    if (!captured) return;
    if (this.#requests.chance(0.3)) await this.#requests.followUp('void', hold);
    else if (this.#requests.chance(0.4))
      await this.#requests.followUp('capture', hold, { amount: '0.20', currency: 'USD' });
  }

  async #verification(): Promise<void> {
    const { client_orderid: _, amount: __, currency: ___, ...card } = saleFields;
    await this.#requests.order('account-verification', { ...card, amount: undefined }, (client, { fields, key }) => {
      const control = sha1(`101${fields.client_orderid}${fields.email}${client.key}`);
      return client.post('/api/v2/account-verification/101', { ...fields, control }, idempotent(key));
    });
  }

  async #storedCard(): Promise<void> {
    const card = { credit_card_number: STORED_CARD, cvv2: '123' };
    const sale = await this.#requests.order(
      'sale',
      card,
      this.#requests.keyed((client) => client.sale),
    );
    if (!sale || !(await this.#requests.isApproved(sale))) return;
    const reply = await this.#requests.answer((client) => createCardReference(client, sale));
    if (reply.status !== 200) return this.#requests.complain('create-card-ref', reply);
    this.#requests.count('create-card-ref');
    this.#references.push(reply.body['card-ref-id']);
  }

  async #rebill(): Promise<void> {
    const reference = this.#requests.oneOf(this.#references);
    if (reference !== undefined)
      await this.#requests.order('rebill', {}, (client, { fields }) => rebill(client, reference, fields));
  }

  async #payout(): Promise<void> {
    const to = this.#requests.chance(0.5)
      ? { credit_card_number: CARD }
      : { account_number: 'DE89370400440532013000', account_name: 'Ann Example' };
    await this.#requests.order('payout', { ...to, amount: '1.00', currency: 'USD' }, (client, { fields, key }) =>
      client.oauth('/api/v4/payout', fields, { idempotencyKey: key }),
    );
  }

  async #transfer(): Promise<void> {
    const { credit_card_number, card_printed_name, expire_month, expire_year } = saleFields;
    const from = { credit_card_number, card_printed_name, expire_month, expire_year, cvv2: this.#code() };
    const fields = { ...from, 'destination-card-no': STORED_CARD, currency: 'USD' };
    await this.#requests.order('transfer', fields, (client, { fields, key }) =>
      client.oauth('/api/v4/transfer', fields, { idempotencyKey: key }),
    );
  }

  async #newRecurring(): Promise<void> {
    const fields = { client_orderid: newOrderId(), credit_card_number: STORED_CARD };
    const reply = await this.#requests.answer((client) => createRecurring(client, fields));
    if (reply.status !== 200) return this.#requests.complain('create-recurring-payment', reply);
    this.#requests.count('create-recurring-payment');
    this.#recurring.push(reply.body['recurring-payment-id']);
  }

  async #recurringCharge(): Promise<void> {
    const id = this.#requests.oneOf(this.#recurring);
    if (id === undefined) return;
    await this.#requests.order('recurring', {}, (client, { fields }) => {
      const { currency: _, ...charge } = fields;
      return chargeRecurring(client, id, charge);
    });
  }

  async #status(): Promise<void> {
    const promised = this.#options.acknowledgements.pick(this.#options.random);
    if (!promised) return;
    const reply = await this.#requests.answer((client) =>
      client.status({ client_orderid: promised.clientOrderId }, { endpoint: promised.endpoint ?? 101 }),
    );
    if (reply.status !== 200 || reply.body['paynet-order-id'] !== promised.orderId)
      this.#requests.complain('status', reply);
    this.#requests.count('status');
  }

  async #eligibility(): Promise<void> {
    const kind = this.#requests.oneOf(['send', 'receive', 'both'] as const);
    const { card_printed_name, expire_month, expire_year } = saleFields;
    const from = { 'sending-card-number': CARD, 'card-printed-name': card_printed_name, expire_month, expire_year };
    const to = { 'receiving-card-number': STORED_CARD };
    const asked = { ...(kind !== 'receive' && from), ...(kind !== 'send' && to) };
    await this.#requests.order('pan-eligibility', { amount: undefined }, (client, { fields, key }) => {
      const named = { 'client-order-id': fields.client_orderid, ...asked };
      return client.oauth(`/api/v2/pan-eligibility/${kind}`, named, { idempotencyKey: key });
    });
  }

  // ── Orders that need their payer ───────────────────────────────────────────────────────────────────────────────────

  async #authenticatedSale(): Promise<void> {
    const fields = sale(this.#authenticated(), this.#requests.chance(0.5) ? BROWSER : {});
    const order = await this.#requests.order(
      'sale with 3-D Secure',
      { ...fields, cvv2: this.#code() },
      (client, { fields, key }) => client.sale(fields, { ...idempotent(key), endpoint: REQUIRED }),
      { endpoint: REQUIRED },
    );
    if (!order) return;
    await this.#withPayer(() => this.#authenticate(order));
    if (this.#requests.chance(0.3) && (await this.#requests.isApproved(order)))
      await this.#requests.followUp('return', order, { amount: '1.00', currency: 'EUR' });
  }

  async #authenticate(order: ReplyBody): Promise<void> {
    const { 'redirect-to': address } = await this.#requests.untilPayersTurn(order, PAYER_LIMIT_MS);
    if (address === undefined) return;
    // The issuer has given up on this one, but the gateway may not have heard of it.
    if (this.#requests.chance(0.15)) await pause(LATE_MS);
    await this.#payers.authenticate(address, ...this.#answers());
  }

  async #form(): Promise<void> {
    const formType = this.#requests.chance(0.6) ? 'sale' : 'preauth';
    const [endpoint, currency] = this.#requests.chance(0.3) ? [REQUIRED, 'EUR'] : [101, 'USD'];
    const operation = `${formType}-form` as const;
    const order = await this.#requests.order(
      operation,
      { currency },
      (client, { fields }) => formRequest({ demo: client }, operation, fields, { endpoint }),
      { endpoint, formType },
    );
    if (!order) return;
    await this.#withPayer(() => this.#payers.fillIn(order['redirect-url'], this.#entry(endpoint)));
    if (!this.#requests.chance(0.5) || !(await this.#requests.isApproved(order))) return;
    const kind = formType === 'sale' ? 'return' : 'capture';
    await this.#requests.followUp(kind, order, { amount: '0.70', currency });
  }

  #entry(endpoint: number): FormEntry {
    const isDeclinedFirst = this.#requests.chance(0.3);
    const { number } = endpoint === REQUIRED ? this.#authenticated() : { number: CARD };
    return {
      cardOf: (attempt) => ({
        credit_card_number: number,
        cvv2: isDeclinedFirst && attempt === 1 ? DECLINED : this.#code(),
      }),
      clicks: this.#requests.chance(0.3) ? 2 : 1,
      answers: this.#answers(),
    };
  }

  /** A hand waits for a payer within reason; the payer goes on without it. */
  async #withPayer(pay: () => Promise<void>): Promise<void> {
    const paying = pay();
    this.#onTheirWay.add(paying);
    void paying.finally(() => this.#onTheirWay.delete(paying));
    await Promise.race([paying, pause(FINAL_LIMIT_MS)]);
  }

  #authenticated(): { readonly number: string } {
    return TEST_CARDS[this.#requests.oneOf(ISSUERS) as (typeof ISSUERS)[number]];
  }

  #answers(): readonly string[] {
    return this.#requests.oneOf(PAYERS_ANSWERS) as readonly string[];
  }

  #code(): string {
    return this.#requests.oneOf(CODES) as string;
  }
}
