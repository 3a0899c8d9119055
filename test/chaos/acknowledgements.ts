// What merchants were promised, written down before anything is built upon it: a file that only grows, each line on
// disk before the load generator goes on, and read back from disk when the promises are called in.

import type { BookLog } from '../../src/acquirers/simulator/books/book-log.ts';
import { openLog } from '../../src/acquirers/simulator/books/log-file.ts';
import type { OperationName } from '../../src/operations/index.ts';

/** `server` hears of an order itself, `notify` of its follow-ups too. */
export type Tells = { readonly shop: number; readonly target: 'server' | 'notify' };

/** Something about an order: that it is there, or that something was done with it. */
export type OrderAcknowledgement = {
  readonly operation: OperationName;
  /** The merchant's login. */
  readonly merchant: string;
  readonly clientOrderId: string;
  readonly orderId: string;
  /** Of the request that made a follow-up, which is found by it; an order is found by its own names. */
  readonly serial?: string;
  /** Where it is, unless on the endpoint that most are on. */
  readonly endpoint?: number | string;
  /** What a form was for: its callback is that of the try it ended with, whichever it was. */
  readonly formType?: FormType;
  /** Which shop hears how it ended, and in which way. */
  readonly tells?: Tells;
};

/** These make orders that are signed; others may be about an order of an unsigned form, known by our own id only. */
const SURELY_SIGNED: readonly string[] = ['SALE', 'PREAUTH', 'SALEFORM', 'PREAUTHFORM', 'REBILL', 'PAYOUT', 'TRANSFER'];

export const isSurelySigned = ({ operation }: OrderAcknowledgement) => SURELY_SIGNED.includes(operation);

export type FormType = 'sale' | 'preauth' | 'account-verification' | 'payout';

/** A card that is kept, by itself or with a recurring payment. */
export type CardAcknowledgement = {
  readonly operation: OperationName;
  readonly merchant: string;
  readonly reference: string;
};

export type Acknowledgement = OrderAcknowledgement | CardAcknowledgement;

export class Acknowledgements {
  readonly #log: BookLog;
  readonly #recent: OrderAcknowledgement[] = [];
  #count = 0;

  private constructor(log: BookLog) {
    this.#log = log;
  }

  static async open(path: string): Promise<Acknowledgements> {
    return new Acknowledgements(await openLog(path, () => {}));
  }

  get count(): number {
    return this.#count;
  }

  async add(acknowledgement: Acknowledgement): Promise<void> {
    await this.#log.append(JSON.stringify(acknowledgement));
    this.#count += 1;
    if (!isOfOrder(acknowledgement)) return;
    this.#recent.push(acknowledgement);
    if (this.#recent.length > RECENT) this.#recent.shift();
  }

  /** One of a merchant's latest orders, to be asked about while everything is on fire. */
  pick(merchant: string, random: () => number): OrderAcknowledgement | undefined {
    const own = this.#recent.filter((one) => one.merchant === merchant);
    return own[Math.floor(random() * own.length)];
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

const RECENT = 500;

export const isOfOrder = (one: Acknowledgement): one is OrderAcknowledgement => 'orderId' in one;

/** Everything that is on disk. */
export async function readAcknowledgements(path: string): Promise<Acknowledgement[]> {
  const all: Acknowledgement[] = [];
  const log = await openLog(path, (line) => all.push(JSON.parse(line)));
  await log.close();
  return all;
}
