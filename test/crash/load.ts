// Merchants who do not give up: sales from many hands at once, each repeated with the same values until it is answered.

import { type Client, type Fields, newOrderId, pause, type Reply } from '../harness.ts';
import type { Random } from './random.ts';

/** Of the demo merchant. */
const ENDPOINT = 101;
const PARALLEL = 8;
const REPEAT_AFTER_MS = 100;
const LONGEST_PAUSE_MS = 20;
/** A share of the answered sales is sent once more, as a merchant does whose answer got lost on the way. */
const REPEATED_SHARE = 0.1;

// Mostly approved; some declined, some the bank takes its time for.
const CODES = ['123', '123', '123', '123', '116', '209', '1234', '123', '123', '217'];

export type Sale = { readonly client_orderid: string; readonly amount: string; readonly cvv2: string };

export type Acknowledged = Sale & { readonly orderId: string };

export class Load {
  readonly acknowledged: Acknowledged[] = [];
  /** When each was, by `performance.now`. */
  readonly acknowledgedAt: number[] = [];
  /** Whatever was answered that should not have been. */
  readonly complaints: string[] = [];
  readonly #clients: readonly Client[];
  readonly #random: Random;
  readonly #links: Fields;
  readonly #endpoint: number;
  #over = false;
  #abandoned = false;
  #running: Promise<unknown> | undefined;

  /** With several clients every sale goes to all of them at once; `links` are sent with each. */
  constructor(clients: readonly Client[], random: Random, links: Fields = {}, endpoint = ENDPOINT) {
    this.#clients = clients;
    this.#random = random;
    this.#links = links;
    this.#endpoint = endpoint;
  }

  start(): void {
    this.#running = Promise.all(Array.from({ length: PARALLEL }, () => this.#sell()));
  }

  /** No new sales; those under way go on until they are answered. */
  async stop(): Promise<void> {
    this.#over = true;
    await this.#running;
  }

  /** For a gateway that will not come back: nobody waits for an answer any more. */
  abandon(): void {
    this.#over = true;
    this.#abandoned = true;
  }

  async #sell(): Promise<void> {
    while (!this.#over) {
      const sale = this.#newSale();
      const times = this.#random() < REPEATED_SHARE ? 2 : 1;
      for (let time = 0; time < times; time++) {
        await Promise.all(this.#clients.map((client) => this.#sellTo(client, sale)));
      }
      await pause(this.#random() * LONGEST_PAUSE_MS);
    }
  }

  async #sellTo(client: Client, sale: Sale): Promise<void> {
    const reply = await untilAnswered(
      () => client.sale({ ...sale, ...this.#links }, { endpoint: this.#endpoint }),
      () => this.#abandoned,
    );
    if (reply) this.#heard(sale, reply);
  }

  #newSale(): Sale {
    const amount = String(100 + Math.floor(this.#random() * 100_000));
    return { client_orderid: newOrderId(), amount, cvv2: CODES[Math.floor(this.#random() * CODES.length)] as string };
  }

  #heard(sale: Sale, { status, text, body }: Reply): void {
    if (status === 200) {
      this.acknowledged.push({ ...sale, orderId: body['paynet-order-id'] });
      this.acknowledgedAt.push(performance.now());
    } else this.complaints.push(`${sale.client_orderid}: ${status} ${text}`);
  }
}

/** The same request until there is an answer; a service that is gone or breaks is asked again, unless nobody waits. */
export async function untilAnswered(
  send: () => Promise<Reply>,
  isAbandoned: () => boolean = () => false,
): Promise<Reply | undefined> {
  while (!isAbandoned()) {
    const reply = await send().catch(() => undefined);
    if (reply && reply.status < 500) return reply;
    await pause(REPEAT_AFTER_MS);
  }
  return undefined;
}
