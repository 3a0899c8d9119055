// How merchants ask: each request is repeated, on any node, until it is answered, and what was answered is written down before
// anything is built upon it.

import { randomUUID } from 'node:crypto';
import { untilAnswered } from '../crash/load.ts';
import type { Random } from '../crash/random.ts';
import { type Client, type Fields, newOrderId, pause, type Reply, type ReplyBody } from '../harness.ts';
import type { TestShop } from '../test-shop.ts';
import type { Acknowledgement, Acknowledgements, Tells } from './acknowledgements.ts';

/** Then the request goes to another node, while the first may still be working on it. */
const ANSWER_LIMIT_MS = 4_000;
/** How long a hand waits for an order to end before it turns to something else. */
export const FINAL_LIMIT_MS = 8_000;
const FINAL_POLL_MS = 100;
const REPEATED_SHARE = 0.1;
const CALLBACK_SHARE = 0.3;

const LINKS = { server: 'server_callback_url', notify: 'notify_url' } as const;

/** These know no callbacks, or tell of other things. */
const UNTOLD = ['payout', 'pan-eligibility'];

/** An answer that is right although it is a refusal: the balance did not cover a payout. */
const INSUFFICIENT_BALANCE = '45';

export type RequestsOptions = {
  readonly clients: readonly Client[];
  readonly random: Random;
  readonly acknowledgements: Acknowledgements;
  readonly shops: readonly TestShop[];
};

type Sent = { readonly fields: Fields; readonly key: string };
export type Send = (client: Client, sent: Sent) => Promise<Reply>;

/** Where an order is, when not on the usual endpoint, and what of it was a form. */
type Special = Pick<Acknowledgement, 'endpoint' | 'formType'>;

export class Requests {
  readonly counts = new Map<string, number>();
  /** Whatever was answered that should not have been. */
  readonly complaints: string[] = [];
  readonly #options: RequestsOptions;
  #over = false;

  constructor(options: RequestsOptions) {
    this.#options = options;
  }

  /** Nobody waits for the end of an order any more. */
  close(): void {
    this.#over = true;
  }

  /** A new order, sent until it is accepted; undefined when it was rightly refused. */
  async order(operation: string, given: Fields, send: Send, special: Special = {}): Promise<ReplyBody | undefined> {
    const tells = UNTOLD.includes(operation) ? undefined : this.#tells();
    const fields: Fields = {
      client_orderid: newOrderId(),
      ...('amount' in given ? {} : { amount: `${100 + Math.floor(this.#options.random() * 50_000)}` }),
      ...(tells && { [LINKS[tells.target]]: this.#options.shops[tells.shop]?.url() }),
      ...given,
    };
    const reply = await this.#accepted(operation, { fields, key: randomUUID() }, send);
    if (!reply) return undefined;
    const [clientOrderId, orderId] = [fields.client_orderid as string, reply['paynet-order-id']];
    await this.#options.acknowledgements.add({
      operation,
      clientOrderId,
      orderId,
      ...special,
      ...(tells && { tells }),
    });
    return { ...reply, 'merchant-order-id': clientOrderId, tells, endpoint: special.endpoint };
  }

  #tells(): Tells | undefined {
    if (!this.chance(CALLBACK_SHARE)) return undefined;
    const shop = Math.floor(this.#options.random() * this.#options.shops.length);
    return { shop, target: this.chance(0.5) ? 'server' : 'notify' };
  }

  async followUp(
    kind: 'capture' | 'return' | 'void',
    order: ReplyBody,
    fields: Fields = {},
  ): Promise<ReplyBody | undefined> {
    const at = placeOf(order);
    const reply = await this.#accepted(kind, { fields, key: randomUUID() }, (client, { key }) =>
      client.followUp(kind, order, fields, { ...idempotent(key), ...at }),
    );
    if (!reply) return undefined;
    const tells = order.tells as Tells | undefined;
    const told = tells?.target === 'notify' ? { tells } : {};
    const { 'merchant-order-id': clientOrderId, 'paynet-order-id': orderId } = order;
    const serial = reply['serial-number'];
    await this.#options.acknowledgements.add({ operation: kind, clientOrderId, orderId, serial, ...at, ...told });
    return (await this.isApproved(order, serial)) ? reply : undefined;
  }

  async #accepted(operation: string, sent: Sent, send: Send): Promise<ReplyBody | undefined> {
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

  /** Sent to any node until one answers. */
  async answer(send: (client: Client) => Promise<Reply>): Promise<Reply> {
    return (await untilAnswered(() => inTime(send(this.oneOf(this.#options.clients) as Client)))) as Reply;
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
    const named = { client_orderid: order['merchant-order-id'], 'by-request-sn': serial };
    return this.answer((client) => client.status(named, placeOf(order)));
  }

  keyed(method: (client: Client) => Client['sale']): Send {
    return (client, { fields, key }) => method(client).call(client, fields, idempotent(key));
  }

  complain(what: string, { status, text }: Reply): void {
    this.complaints.push(`${what}: ${status} ${text}`);
  }

  count(operation: string): void {
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

const placeOf = ({ endpoint }: ReplyBody): { endpoint?: number } => (endpoint === undefined ? {} : { endpoint });

export const idempotent = (key: string) => ({ headers: { 'idempotency-key': key } });

export async function inTime<T>(reply: Promise<T>, limitMs = ANSWER_LIMIT_MS): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('no answer')), limitMs);
  });
  // Whoever comes too late is not listened to any more.
  reply.catch(() => {});
  return Promise.race([reply, tooLate]).finally(() => clearTimeout(timer));
}
