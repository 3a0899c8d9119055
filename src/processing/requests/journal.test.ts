import { describe, expect, it } from 'vitest';
import type { Clock } from '../../domain/clock.ts';
import { serialNumbersSince } from '../../domain/ids/serial-times.ts';
import type { Log } from '../../telemetry/log.ts';
import { Journal } from './journal.ts';

const NOW = Date.UTC(2026, 10, 15);
const KEPT_MS = 1_000_000;

/**
 * A journal whose store removes the given number of lines each time, or fails, until the list is used up; and what it
 * did.
 */
async function forgetting(answers: (number | Error)[], keptMs: number | undefined = KEPT_MS) {
  const done: string[] = [];
  const stopping = new AbortController();
  const clock = {
    now: () => NOW,
    sleep: async (ms: number) => {
      done.push(`slept ${ms}`);
      if (answers.length === 0) stopping.abort();
    },
  } as unknown as Clock;
  const store = {
    write: async () => {},
    forgetStrangers: async () => 0,
    forget: async (before: string, limit: number) => {
      done.push(`forget ${limit} before ${before}`);
      const answer = answers.shift();
      if (answer instanceof Error) throw answer;
      return answer ?? 0;
    },
  };
  const failed = (error: unknown) => done.push(`failed: ${(error as Error).message}`);
  await new Journal({ store, clock, log: {} as unknown as Log, keptMs }).forgetOld(stopping.signal, failed);
  return done;
}

describe('old lines of the journal', () => {
  const forget = `forget 500 before ${serialNumbersSince(NOW - KEPT_MS)}`;

  it('go in small lots until none is left, and then every ten minutes', async () => {
    expect(await forgetting([500, 500, 7, 0])).toEqual([
      forget,
      'slept 100',
      forget,
      'slept 100',
      forget,
      'slept 600000',
      forget,
      'slept 600000',
    ]);
  });

  it('are tried again later when the database cannot take them away now', async () => {
    expect(await forgetting([new Error('away'), 0])).toEqual([
      forget,
      'failed: away',
      'slept 600000',
      forget,
      'slept 600000',
    ]);
  });

  it('stay when all are to be kept', async () => {
    const stays = new Journal({
      store: {
        write: async () => {},
        forget: () => Promise.reject(new Error('nothing is to be forgotten')),
        forgetStrangers: () => Promise.reject(new Error('nothing is to be forgotten')),
      },
      clock: { now: () => NOW } as unknown as Clock,
      log: {} as unknown as Log,
      keptMs: undefined,
    });
    const complaints: unknown[] = [];
    await stays.forgetOld(new AbortController().signal, (error) => complaints.push(error));
    await stays.forgetStrangers(new AbortController().signal, (error) => complaints.push(error));
    expect(complaints).toEqual([]);
  });
});
