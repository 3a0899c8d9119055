// What the tests of the ISO 8583 connector send, how they open it, and a clock that they move.

import type {
  Acquirer,
  CardDetails,
  ChargeInstruction,
  Circumstances,
  FollowUpInstruction,
  Instruction,
  Origin,
} from '../../src/acquirers/acquirer.ts';
import { readConnectorSettings } from '../../src/acquirers/connector.ts';
import { iso8583 } from '../../src/acquirers/iso8583/iso8583.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';

export const PAN = '4111111111111111';
export const AT = Date.UTC(2026, 10, 17, 15, 21, 41);
export const ANSWER_MS = 30_000;

/** Time that passes only when it is told to. */
export class StoppedClock implements Clock {
  #now = AT;
  readonly #sleepers = new Set<{ readonly at: number; readonly ms: number; readonly wake: () => void }>();
  /** How long each sleep was meant to last. */
  readonly slept: number[] = [];

  now = () => this.#now;

  sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      this.slept.push(ms);
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', wake);
        resolve();
      };
      const sleeper = { at: this.#now + ms, ms, wake };
      this.#sleepers.add(sleeper);
      signal?.addEventListener('abort', wake, { once: true });
    });

  pass(ms: number): void {
    this.#now += ms;
    for (const sleeper of [...this.#sleepers]) if (sleeper.at <= this.#now) sleeper.wake();
  }

  /** Whether somebody sleeps for so long right now. */
  isAsleepFor(ms: number): boolean {
    return [...this.#sleepers].some((sleeper) => sleeper.ms === ms);
  }
}

export function openConnector(given: Readonly<Record<string, unknown>>, clock: Clock): Acquirer {
  const read = readConnectorSettings(iso8583, { host: '127.0.0.1', tls: 'none', echoSeconds: 0, ...given });
  if ('faults' in read) throw new Error(read.faults.join('; '));
  const surroundings = { clock, terminal: 'test', noticeUrl: 'http://127.0.0.1/' };
  return iso8583.open(read.values as never, surroundings);
}

export const card: CardDetails = { number: new Secret(PAN), expireMonth: 3, expireYear: 2029 };
export const eur = (minor: bigint) => ({ minor, currency: 'EUR' });

export function charge(kind: ChargeInstruction['kind'], minor = 1042n): ChargeInstruction {
  return {
    kind,
    reference: '7-1',
    amount: eur(minor),
    card: { ...card, cvv: new Secret('987') },
    descriptor: 'Demo shop',
    initiator: 'payer',
  };
}

export function later(kind: FollowUpInstruction['kind'], minor: bigint): FollowUpInstruction {
  return { kind, reference: '7-2', original: '7-1', amount: eur(minor) };
}

export const site: Circumstances['site'] = {
  merchantNumber: 'M123',
  terminalNumber: 'T1',
  category: '5814',
  country: 'CH',
  acquirerNumber: '123456',
  descriptor: 'Tender',
};

export function around(number: number, more: Partial<Circumstances> = {}): Circumstances {
  return { site, trace: { number, at: AT }, payer: {}, ...more };
}

/** What a follow-up is sent with, after `instruction` was approved under this number. */
export function following(number: number, instruction: Instruction, originNumber: number): Circumstances {
  const { reference, kind } = instruction;
  const amount = 'amount' in instruction ? instruction.amount : eur(0n);
  const origin: Origin = { reference, kind, amount, trace: { number: originNumber, at: AT }, approvalCode: 'A1B2C3' };
  return around(number, { origin, card });
}
