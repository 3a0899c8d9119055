// Merchants who do everything the interface has, from many hands at once, and never give up: each request is repeated,
// on any node, until it is answered, and what was answered is written down.

import { randomUUID } from 'node:crypto';
import { untilAnswered } from '../crash/load.ts';
import type { Random } from '../crash/random.ts';
import {
  CARD,
  type Client,
  type Fields,
  newOrderId,
  pause,
  type Reply,
  type ReplyBody,
  saleFields,
  sha1,
} from '../harness.ts';
import { chargeRecurring, createCardReference, createRecurring, rebill } from '../scenarios/stored-cards.ts';
import type { TestShop } from '../test-shop.ts';
import type { Acknowledgements, Tells } from './acknowledgements.ts';

const LONGEST_PAUSE_MS = 60;
/** Then the request goes to another node, while the first may still be working on it. */
const ANSWER_LIMIT_MS = 4_000;
/** How long a hand waits for an order to end before it turns to something else. */
const FINAL_LIMIT_MS = 8_000;
const FINAL_POLL_MS = 100;
const REPEATED_SHARE = 0.1;
const CALLBACK_SHARE = 0.3;

const LINKS = { server: 'server_callback_url', notify: 'notify_url' } as const;

/** Not the one that is declined for good now and then: a stored card must stay chargeable. */
const STORED_CARD = '5555555555554444';

/** Mostly approved; some declined, some the bank takes its time for. */
const CODES = ['123', '123', '123', '123', '116', '209', '1234', '123', '123', '217'];

/** An answer that is right although it is a refusal: the balance did not cover a payout. */
const INSUFFICIENT_BALANCE = '45';

export type MerchantsOptions = {
  readonly clients: readonly Client[];
  readonly random: Random;
  readonly acknowledgements: Acknowledgements;
  readonly shops: readonly TestShop[];
  readonly hands: number;
};

type Sent = { readonly fields: Fields; readonly key: string };
type Send = (client: Client, sent: Sent) => Promise<Reply>;

export class Merchants {
  readonly counts = new Map<string, number>();
  /** Whatever was answered that should not have been. */
  readonly complaints: string[] = [];
  /** References and recurring payments that can be charged again. */
  readonly #references: string[] = [];
  readonly #recurring: string[] = [];
  readonly #options: MerchantsOptions;
  #over = false;
  #running: Promise<unknown> | undefined;

  constructor(options: MerchantsOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: this.#options.hands }, () => this.#work()));
  }

  /** Nothing new; requests under way go on until they are answered. */
  async stop(): Promise<void> {
    this.#over = true;
    await this.#running;
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
    const sale = await this.#order(
      'sale',
      { cvv2: this.#code() },
      this.#keyed((client) => client.sale),
    );
    if (!sale || this.#chance(0.5)) return;
    if (!(await this.#isApproved(sale))) return;
    if (this.#chance(0.4)) return void (await this.#followUp('void', sale));
    await this.#followUp('return', sale, { amount: '1.00', currency: 'USD' });
    if (this.#chance(0.5)) await this.#followUp('return', sale, { amount: '0.50', currency: 'USD' });
  }

  async #preauth(): Promise<void> {
    const hold = await this.#order(
      'preauth',
      { cvv2: this.#code() },
      this.#keyed((client) => client.preauth),
    );
    if (!hold || !(await this.#isApproved(hold))) return;
    const captured = await this.#followUp('capture', hold, { amount: '0.70', currency: 'USD' });
    if (!captured) return;
    if (this.#chance(0.3)) await this.#followUp('void', hold);
    else if (this.#chance(0.4)) await this.#followUp('capture', hold, { amount: '0.20', currency: 'USD' });
  }

  async #verification(): Promise<void> {
    const { client_orderid: _, amount: __, currency: ___, ...card } = saleFields;
    await this.#order('account-verification', { ...card, amount: undefined }, (client, { fields, key }) => {
      const control = sha1(`101${fields.client_orderid}${fields.email}${client.key}`);
      return client.post('/api/v2/account-verification/101', { ...fields, control }, idempotent(key));
    });
  }

  async #storedCard(): Promise<void> {
    const card = { credit_card_number: STORED_CARD, cvv2: '123' };
    const sale = await this.#order(
      'sale',
      card,
      this.#keyed((client) => client.sale),
    );
    if (!sale || !(await this.#isApproved(sale))) return;
    const reply = await this.#answer((client) => createCardReference(client, sale));
    if (reply.status !== 200) return this.#complain('create-card-ref', reply);
    this.#count('create-card-ref');
    this.#references.push(reply.body['card-ref-id']);
  }

  async #rebill(): Promise<void> {
    const reference = this.#oneOf(this.#references);
    if (reference !== undefined)
      await this.#order('rebill', {}, (client, { fields }) => rebill(client, reference, fields));
  }

  async #payout(): Promise<void> {
    const to = this.#chance(0.5)
      ? { credit_card_number: CARD }
      : { account_number: 'DE89370400440532013000', account_name: 'Ann Example' };
    await this.#order('payout', { ...to, amount: '1.00', currency: 'USD' }, (client, { fields, key }) =>
      client.oauth('/api/v4/payout', fields, { idempotencyKey: key }),
    );
  }

  async #transfer(): Promise<void> {
    const { credit_card_number, card_printed_name, expire_month, expire_year } = saleFields;
    const from = { credit_card_number, card_printed_name, expire_month, expire_year, cvv2: this.#code() };
    const fields = { ...from, 'destination-card-no': STORED_CARD, currency: 'USD' };
    await this.#order('transfer', fields, (client, { fields, key }) =>
      client.oauth('/api/v4/transfer', fields, { idempotencyKey: key }),
    );
  }

  async #newRecurring(): Promise<void> {
    const fields = { client_orderid: newOrderId(), credit_card_number: STORED_CARD };
    const reply = await this.#answer((client) => createRecurring(client, fields));
    if (reply.status !== 200) return this.#complain('create-recurring-payment', reply);
    this.#count('create-recurring-payment');
    this.#recurring.push(reply.body['recurring-payment-id']);
  }

  async #recurringCharge(): Promise<void> {
    const id = this.#oneOf(this.#recurring);
    if (id === undefined) return;
    await this.#order('recurring', {}, (client, { fields }) => {
      const { currency: _, ...charge } = fields;
      return chargeRecurring(client, id, charge);
    });
  }

  async #status(): Promise<void> {
    const promised = this.#options.acknowledgements.pick(this.#options.random);
    if (!promised) return;
    const reply = await this.#answer((client) => client.status({ client_orderid: promised.clientOrderId }));
    if (reply.status !== 200 || reply.body['paynet-order-id'] !== promised.orderId) this.#complain('status', reply);
    this.#count('status');
  }

  // ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

  /** A new order, sent until it is accepted; undefined when it was rightly refused. */
  async #order(operation: string, given: Fields, send: Send): Promise<ReplyBody | undefined> {
    const tells = operation === 'payout' ? undefined : this.#tells();
    const fields: Fields = {
      client_orderid: newOrderId(),
      ...('amount' in given ? {} : { amount: `${100 + Math.floor(this.#options.random() * 50_000)}` }),
      ...(tells && { [LINKS[tells.target]]: this.#options.shops[tells.shop]?.url() }),
      ...given,
    };
    const reply = await this.#accepted(operation, { fields, key: randomUUID() }, send);
    if (!reply) return undefined;
    const [clientOrderId, orderId] = [fields.client_orderid as string, reply['paynet-order-id']];
    await this.#options.acknowledgements.add({ operation, clientOrderId, orderId, ...(tells && { tells }) });
    return { ...reply, 'merchant-order-id': clientOrderId, tells };
  }

  #tells(): Tells | undefined {
    if (!this.#chance(CALLBACK_SHARE)) return undefined;
    const shop = Math.floor(this.#options.random() * this.#options.shops.length);
    return { shop, target: this.#chance(0.5) ? 'server' : 'notify' };
  }

  async #followUp(
    kind: 'capture' | 'return' | 'void',
    order: ReplyBody,
    fields: Fields = {},
  ): Promise<ReplyBody | undefined> {
    const reply = await this.#accepted(kind, { fields, key: randomUUID() }, (client, { key }) =>
      client.followUp(kind, order, fields, idempotent(key)),
    );
    if (!reply) return undefined;
    const tells = order.tells as Tells | undefined;
    const told = tells?.target === 'notify' ? { tells } : {};
    const { 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId } = order;
    const serial = reply['serial-number'];
    await this.#options.acknowledgements.add({ operation: kind, clientOrderId, orderId, serial, ...told });
    return (await this.#isApproved(order, serial)) ? reply : undefined;
  }

  async #accepted(operation: string, sent: Sent, send: Send): Promise<ReplyBody | undefined> {
    const reply = await this.#answer((client) => send(client, sent));
    // As a merchant does whose answer got lost on the way.
    if (this.#chance(REPEATED_SHARE)) {
      const again = await this.#answer((client) => send(client, sent));
      if (again.status === 200 && again.body['paynet-order-id'] !== reply.body['paynet-order-id']) {
        this.#complain(`${operation} repeated is another order than ${reply.body['paynet-order-id']}`, again);
      }
    }
    if (reply.status === 200) {
      this.#count(operation);
      return reply.body;
    }
    if (reply.body['error-code'] !== INSUFFICIENT_BALANCE) this.#complain(operation, reply);
    return undefined;
  }

  /** Sent to any node until one answers. */
  async #answer(send: (client: Client) => Promise<Reply>): Promise<Reply> {
    return (await untilAnswered(() => inTime(send(this.#oneOf(this.#options.clients) as Client)))) as Reply;
  }

  /** Within reason: false when it ended otherwise, or not yet. */
  async #isApproved(order: ReplyBody, serial?: string): Promise<boolean> {
    const named = { client_orderid: order['merchant-order-id'], 'by-request-sn': serial };
    for (const start = Date.now(); Date.now() - start < FINAL_LIMIT_MS && !this.#over; ) {
      const { status, body } = await this.#answer((client) => client.status(named));
      if (status === 200 && body.status !== 'processing' && body.status !== 'unknown')
        return body.status === 'approved';
      await pause(FINAL_POLL_MS);
    }
    return false;
  }

  #keyed(method: (client: Client) => Client['sale']): Send {
    return (client, { fields, key }) => method(client).call(client, fields, idempotent(key));
  }

  #complain(what: string, { status, text }: Reply): void {
    this.complaints.push(`${what}: ${status} ${text}`);
  }

  #count(operation: string): void {
    this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1);
  }

  #code(): string {
    return this.#oneOf(CODES) as string;
  }

  #oneOf<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#options.random() * list.length)];
  }

  #chance(share: number): boolean {
    return this.#options.random() < share;
  }
}

const idempotent = (key: string) => ({ headers: { 'idempotency-key': key } });

async function inTime(reply: Promise<Reply>): Promise<Reply> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), ANSWER_LIMIT_MS);
  });
  // Whoever comes too late is not listened to any more.
  reply.catch(() => {});
  return Promise.race([reply, tooLate]).finally(() => clearTimeout(timer));
}
