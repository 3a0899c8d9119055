// How merchants ask: each request is repeated, on any node, until it is answered, and what was answered is written down
// before anything is built upon it.

import { randomUUID } from 'node:crypto';
import type { OperationName } from '../../src/operations/index.ts';
import { untilAnswered } from '../crash/load.ts';
import type { Random } from '../crash/random.ts';
import {
  type Client,
  type Fields,
  type FollowUpKind,
  newOrderId,
  pause,
  type Reply,
  type ReplyBody,
} from '../harness.ts';
import type { TestShop } from '../test-shop.ts';
import type {
  Acknowledgements,
  CardAcknowledgement,
  FormType,
  OrderAcknowledgement,
  Tells,
} from './acknowledgements.ts';
import { idempotent, type Place, type Places, placesFrom, plainly, type Send, type Sent } from './ways.ts';

/** Then the request goes to another node, while the first may still be working on it. */
const ANSWER_LIMIT_MS = 4_000;
/** How long a hand waits for an order to end before it turns to something else. */
export const FINAL_LIMIT_MS = 8_000;
const FINAL_POLL_MS = 100;
const REPEATED_SHARE = 0.1;
const CALLBACK_SHARE = 0.3;
const OTHER_WAYS_SHARE = 0.25;

const ENDS_DECLINED_FOR_GOOD = [119, 209];

const LINKS = { server: 'server_callback_url', notify: 'notify_url' } as const;

/** These know no callbacks. */
const UNTOLD: readonly OperationName[] = ['PAN_ELIGIBILITY_SEND', 'PAN_ELIGIBILITY_RECEIVE', 'PAN_ELIGIBILITY_BOTH'];

/** An answer that is right although it is a refusal: the balance did not cover a payout. */
export const INSUFFICIENT_BALANCE = '45';

export type RequestsOptions = {
  /** Of one merchant, at every node. */
  readonly clients: readonly Client[];
  readonly random: Random;
  readonly acknowledgements: Acknowledgements;
  readonly shops: readonly TestShop[];
};

type WithoutMerchant = Omit<OrderAcknowledgement, 'merchant'> | Omit<CardAcknowledgement, 'merchant'>;

type Special = { readonly at?: Place; readonly formType?: FormType };

export class Requests {
  readonly counts = new Map<OperationName, number>();
  /** Whatever was answered that should not have been. */
  readonly complaints: string[] = [];
  readonly places: Places;
  readonly #options: RequestsOptions;
  #over = false;

  constructor(options: RequestsOptions) {
    this.#options = options;
    this.places = placesFrom(this.#merchant.home);
  }

  get #merchant(): Client {
    return this.#options.clients[0] as Client;
  }

  /** Nobody waits for the end of an order any more. */
  close(): void {
    this.#over = true;
  }

  /** A new order, sent until it is accepted; undefined when it was rightly refused. */
  async order(
    operation: OperationName,
    given: Fields,
    send: Send,
    { at = this.places.usual, formType }: Special = {},
  ): Promise<ReplyBody | undefined> {
    const tells = UNTOLD.includes(operation) ? undefined : this.#tells();
    const fields: Fields = {
      client_orderid: newOrderId(),
      ...('amount' in given ? {} : { amount: amountOf(this.#options.random) }),
      ...(tells && { [LINKS[tells.target]]: this.#options.shops[tells.shop]?.url(`/${this.#merchant.login}`) }),
      ...given,
    };
    const reply = await this.#accepted(operation, { fields, key: randomUUID(), at }, send);
    if (!reply) return undefined;
    const order = { ...reply, 'merchant-order-id': fields.client_orderid as string, tells, at } as ReplyBody;
    await this.promised(operation, order, { ...(formType && { formType }), ...(tells && { tells }) });
    return order;
  }

  #tells(): Tells | undefined {
    if (!this.chance(CALLBACK_SHARE)) return undefined;
    const shop = Math.floor(this.#options.random() * this.#options.shops.length);
    return { shop, target: this.chance(0.5) ? 'server' : 'notify' };
  }

  async followUp(kind: FollowUpKind, order: ReplyBody, fields: Fields = {}): Promise<ReplyBody | undefined> {
    const operation = kind.toUpperCase() as Uppercase<FollowUpKind>;
    const sent = { fields, key: randomUUID(), at: order.at };
    const reply = await this.#accepted(operation, sent, (client, { key, at }) =>
      client.followUp(kind, order, fields, idempotent(key, at)),
    );
    if (!reply) return undefined;
    const tells = order.tells as Tells | undefined;
    const serial = reply['serial-number'];
    await this.promised(operation, order, { serial, ...(tells?.target === 'notify' && { tells }) });
    return (await this.isApproved(order, serial)) ? reply : undefined;
  }

  async #accepted(operation: OperationName, sent: Sent, send: Send): Promise<ReplyBody | undefined> {
    const reply = await this.answer((client) => send(client, sent));
    if (reply.status !== 200) {
      if (reply.body['error-code'] !== INSUFFICIENT_BALANCE) this.complain(operation, reply);
      return undefined;
    }
    this.count(operation);
    if (this.chance(REPEATED_SHARE))
      await this.#repeat(operation, () => this.answer((client) => send(client, sent)), reply);
    return reply.body;
  }

  /** As a merchant does whose answer got lost on the way. */
  async #repeat(operation: string, send: () => Promise<Reply>, first: Reply): Promise<void> {
    const again = await send();
    const orderId = first.body['paynet-order-id'];
    if (again.body['paynet-order-id'] !== orderId) this.complain(`${operation} repeated is not ${orderId}`, again);
  }

  /** Something else than an order, sent until it is accepted; nothing of it is rightly refused. */
  async accepted(operation: OperationName, send: (client: Client) => Promise<Reply>): Promise<ReplyBody | undefined> {
    const reply = await this.answer(send);
    if (reply.status === 200) this.count(operation);
    else this.complain(operation, reply);
    return reply.status === 200 ? reply.body : undefined;
  }

  /** Writes down what was promised about an order. */
  promised(
    operation: OperationName,
    order: ReplyBody,
    more: Pick<OrderAcknowledgement, 'serial' | 'formType' | 'tells'> = {},
  ): Promise<void> {
    const { 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId } = order;
    const { endpoint } = order.at as Place;
    const elsewhere = endpoint === undefined || endpoint === this.places.usual.endpoint ? {} : { endpoint };
    return this.written({ operation, clientOrderId, orderId, ...elsewhere, ...more });
  }

  written(acknowledgement: WithoutMerchant): Promise<void> {
    return this.#options.acknowledgements.add({ ...acknowledgement, merchant: this.#merchant.login });
  }

  anyPromise(): OrderAcknowledgement | undefined {
    return this.#options.acknowledgements.pick(this.#merchant.login, this.#options.random);
  }

  /** Sent to any node until one answers. */
  async answer(send: (client: Client) => Promise<Reply>): Promise<Reply> {
    const ask = () => inTime(send(this.oneOf(this.#options.clients) as Client)).then(plainly);
    return (await untilAnswered(ask)) as Reply;
  }

  /** Within reason: false when it ended otherwise, or not yet. */
  async isApproved(order: ReplyBody, serial?: string): Promise<boolean> {
    for (const start = Date.now(); Date.now() - start < FINAL_LIMIT_MS && !this.#over; ) {
      const { status, body } = await this.statusOf(order, serial);
      if (status === 200 && isFinal(body)) return body.status === 'approved';
      await pause(FINAL_POLL_MS);
    }
    return false;
  }

  /** The order once it asks for its payer, or is over. */
  async untilPayersTurn(order: ReplyBody, limitMs: number): Promise<ReplyBody> {
    let last: ReplyBody = {};
    for (const start = Date.now(); Date.now() - start < limitMs; ) {
      const { status, body } = await this.statusOf(order);
      last = body;
      if (status === 200 && (isFinal(body) || body['redirect-to'] !== undefined)) break;
      await pause(FINAL_POLL_MS);
    }
    return last;
  }

  statusOf(order: ReplyBody, serial?: string): Promise<Reply> {
    const { 'merchant-order-id': client_orderid, 'paynet-order-id': orderid } = order;
    const named = { client_orderid, orderid, 'by-request-sn': serial };
    return this.answer((client) => client.status(named, order.at));
  }

  /** Mostly the usual one. */
  anyWay(): Place {
    return this.chance(OTHER_WAYS_SHARE) ? (this.oneOf(this.places.others) as Place) : this.places.usual;
  }

  complain(what: string, { status, text }: Pick<Reply, 'status' | 'text'>): void {
    this.complaints.push(`${what}: ${status} ${text}`);
  }

  count(operation: OperationName): void {
    this.counts.set(operation, (this.counts.get(operation) ?? 0) + 1);
  }

  oneOf<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.#options.random() * list.length)];
  }

  chance(share: number): boolean {
    return this.#options.random() < share;
  }
}

const isFinal = ({ status }: ReplyBody) => status !== 'processing' && status !== 'unknown';

export async function inTime<T>(reply: Promise<T>, limitMs = ANSWER_LIMIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), limitMs);
  });
  // Whoever comes too late is not listened to any more.
  reply.catch(() => {});
  return Promise.race([reply, tooLate]).finally(() => clearTimeout(timer));
}

/**
 * A charge without a security code is judged by the end of its amount: no stored card may be declined for good by
 * chance.
 */
function amountOf(random: Random): string {
  const minor = 100 + Math.floor(random() * 50_000);
  return `${ENDS_DECLINED_FOR_GOOD.includes(minor % 1_000) ? minor + 1 : minor}`;
}
