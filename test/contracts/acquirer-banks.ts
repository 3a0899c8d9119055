// The simulated banks that have a suite of their own, the instructions it is kept with, and a clock that stands still.

import { expect } from 'vitest';
import type {
  ChargeInstruction,
  EligibilityQuestion,
  FollowUpInstruction,
  Push,
  Target,
} from '../../src/acquirers/acquirer.ts';
import {
  type Bank,
  type BookEntry,
  type ClearingSummary,
  clearBank,
  type Faults,
  openAcquirer,
  openBank,
  readBooks,
  readSettlement,
  type SimulatorLine,
  settlementFile,
  startBank,
  type TakeLock,
} from '../../src/acquirers/index.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';

export const CARD = '4111111111111111';
export const OTHER_CARD = '5555555555554444';
export const HOLD_MS = 3_000;
export const SEND_TIMEOUT_MS = 30_000;
export const ASK_TIMEOUT_MS = 10_000;

export const noLock: TakeLock = async () => ({ release: async () => {} });

type Choice = { cvv?: string | undefined; minor?: bigint; reference?: string; number?: string; currency?: string };

let lastReference = 0;
export const newReference = () => `${1_800_000_000_000 + ++lastReference}-1`;

export function charge(kind: ChargeInstruction['kind'], choice: Choice = {}): ChargeInstruction {
  const { minor = kind === 'verification' ? 0n : 1042n, currency = 'USD', reference = newReference() } = choice;
  const cvv = 'cvv' in choice ? choice.cvv : '123';
  return {
    kind,
    reference,
    amount: { minor, currency },
    card: {
      number: new Secret(choice.number ?? CARD),
      expireMonth: 12,
      expireYear: 2031,
      ...(cvv === undefined ? {} : { cvv: new Secret(cvv) }),
      holder: 'ANNA DOE',
    },
    descriptor: 'Demo shop',
    initiator: 'payer',
  };
}

export const sale = (choice: Choice = {}) => charge('sale', choice);
export const preauth = (choice: Choice = {}) => charge('preauth', choice);

export function followUp(
  kind: FollowUpInstruction['kind'],
  original: { readonly reference: string },
  minor: bigint,
  { currency = 'USD', reference = newReference() }: Pick<Choice, 'currency' | 'reference'> = {},
): FollowUpInstruction {
  return { kind, reference, original: original.reference, amount: { minor, currency } };
}

export function push(to: Target, minor = 1042n, reference = newReference()): Push {
  return { kind: 'push', reference, amount: { minor, currency: 'USD' }, to };
}

export const toCard = (number: string): Target => ({ card: { number: new Secret(number), holder: 'ANNA DOE' } });
export const toAccount = (number: string): Target => ({
  account: { number: new Secret(number), bankName: 'Any Bank' },
});

export function question(numbers: { sending?: string; receiving?: string }): EligibilityQuestion {
  return {
    kind: 'eligibility',
    reference: newReference(),
    ...(numbers.sending === undefined ? {} : { sending: { number: new Secret(numbers.sending) } }),
    ...(numbers.receiving === undefined ? {} : { receiving: { number: new Secret(numbers.receiving) } }),
  };
}

/** Time that stands still until it is moved; whoever sleeps wakes in order. */
export class StoppedClock implements Clock {
  #now = 1_750_000_000_000;
  #sleepers = new Set<{ until: number; wake: () => void }>();

  now = () => this.#now;

  sleep = (ms: number, signal?: AbortSignal) =>
    new Promise<void>((wake) => {
      if (signal?.aborted) return wake();
      const sleeper = { until: this.#now + ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers.delete(sleeper);
        wake();
      });
    });

  async advance(ms: number): Promise<void> {
    const target = this.#now + ms;
    for (let next = this.#nextUntil(target); next; next = this.#nextUntil(target)) {
      this.#now = Math.max(this.#now, next.until);
      this.#sleepers.delete(next);
      next.wake();
      await new Promise((done) => setImmediate(done));
    }
    this.#now = target;
  }

  /** Shows an earlier time; who sleeps sleeps no longer for it. */
  setBack(ms: number): void {
    this.#now -= ms;
    for (const sleeper of this.#sleepers) sleeper.until -= ms;
  }

  get sleepers(): number {
    return this.#sleepers.size;
  }

  #nextUntil(target: number) {
    return [...this.#sleepers].filter(({ until }) => until <= target).sort((a, b) => a.until - b.until)[0];
  }
}

/** A bank and a connector to it, whichever way they are connected. */
export type Subject = {
  readonly acquirer: SimulatorLine;
  books(): Promise<BookEntry[]>;
  setFaults(faults: Partial<Faults>): Promise<void>;
  clear(): Promise<ClearingSummary>;
  /** The lines of the settlement file, without the names of its columns. */
  settlement(date: string): Promise<string[]>;
  close(): Promise<void>;
};

export type Variant = {
  readonly name: string;
  readonly keepsBooks: boolean;
  open(clock: Clock, folder: string): Promise<Subject>;
};

const timeouts = { sendTimeoutMs: SEND_TIMEOUT_MS, askTimeoutMs: ASK_TIMEOUT_MS };

async function inProcess(bank: Bank, clock: Clock): Promise<Subject> {
  const acquirer = openAcquirer({ bank, ...timeouts }, clock);
  return {
    acquirer,
    books: () => all(bank.entries()),
    setFaults: async (faults) => bank.faults.set(faults),
    clear: () => bank.clear(),
    settlement: async (date) => (await all(settlementFile(bank.settlement(date)))).slice(1),
    close: async () => {
      await acquirer.close();
      await bank.close();
    },
  };
}

export const variants: readonly Variant[] = [
  {
    name: 'in this process, books in memory',
    keepsBooks: false,
    open: async (clock) => inProcess(await openBank({ clock, books: 'memory', holdMs: HOLD_MS }), clock),
  },
  {
    name: 'in this process, books in a file',
    keepsBooks: true,
    open: async (clock, folder) =>
      inProcess(await openBank({ clock, books: { folder, takeLock: noLock }, holdMs: HOLD_MS }), clock),
  },
  {
    name: 'over HTTP, books in a file',
    keepsBooks: true,
    open: async (clock, folder) => {
      const server = await startBank({ clock, books: { folder, takeLock: noLock }, holdMs: HOLD_MS });
      const settings = { url: server.url, ...timeouts };
      const acquirer = openAcquirer(settings, clock);
      return {
        acquirer,
        books: () => all(readBooks(server.url)),
        setFaults: async (faults) => {
          const response = await fetch(`${server.url}/v1/faults`, { method: 'PUT', body: JSON.stringify(faults) });
          expect(response.status).toBe(200);
        },
        clear: () => clearBank(server.url),
        settlement: async (date) => {
          const [names, ...lines] = await all(readSettlement(server.url, date));
          expect(names).toBe('reference,kind,original,amount,currency,cleared_at');
          return lines;
        },
        close: async () => {
          await acquirer.close();
          await server.close();
        },
      };
    },
  },
];

export async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}
