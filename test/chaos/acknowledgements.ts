// What merchants were promised, written down before anything is built upon it: a file that only grows, each line on disk
// before the load generator goes on, and read back from disk when the promises are called in.

import { type Log, openLog } from '../../src/acquirers/simulator/log-file.ts';

/** `server` hears of an order itself, `notify` of its follow-ups too. */
export type Tells = { readonly shop: number; readonly target: 'server' | 'notify' };

export type Acknowledgement = {
  readonly operation: string;
  readonly clientOrderId: string;
  readonly orderId: string;
  /** Of the request that made a follow-up, which is found by it; an order is found by its own names. */
  readonly serial?: string;
  /** Where it is, unless on the endpoint that most are on. */
  readonly endpoint?: number;
  /** What a form was for: its callback is that of the try it ended with, whichever it was. */
  readonly formType?: 'sale' | 'preauth';
  /** Which shop hears how it ended, and in which way. */
  readonly tells?: Tells;
};

export class Acknowledgements {
  readonly #log: Log;
  readonly #recent: Acknowledgement[] = [];
  #count = 0;

  private constructor(log: Log) {
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
    this.#recent.push(acknowledgement);
    if (this.#recent.length > RECENT) this.#recent.shift();
  }

  /** One of the latest, to be asked about while everything is on fire. */
  pick(random: () => number): Acknowledgement | undefined {
    return this.#recent[Math.floor(random() * this.#recent.length)];
  }

  close(): Promise<void> {
    return this.#log.close();
  }
}

const RECENT = 500;

/** Everything that is on disk. */
export async function readAcknowledgements(path: string): Promise<Acknowledgement[]> {
  const all: Acknowledgement[] = [];
  const log = await openLog(path, (line) => all.push(JSON.parse(line)));
  await log.close();
  return all;
}
