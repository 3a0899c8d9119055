import { expect, it } from 'vitest';
import { systemClock } from '../../domain/clock.ts';
import { ConnectionEnd, waitFor } from './waiting.ts';

const never = new Promise<never>(() => {});
const HOUR_MS = 3_600_000;

it('gives what was waited for, the reason of the end, or nothing when time is up', async () => {
  const ending = new ConnectionEnd();
  const patient = { clock: systemClock, ms: HOUR_MS, over: ending.on };
  expect(await waitFor(Promise.resolve(7), patient)).toBe(7);
  expect(await waitFor(never, { ...patient, ms: 1 })).toBeUndefined();
  const waiting = waitFor(never, patient);
  ending.tell('broken');
  ending.tell('broken again');
  expect(await waiting).toBe('broken');
  expect(await waitFor(never, patient)).toBe('broken');
});

it('forgets whoever no longer waits', async () => {
  let listeners = 0;
  const over = () => {
    listeners += 1;
    return () => {
      listeners -= 1;
    };
  };
  await Promise.all(
    Array.from({ length: 100 }, () => waitFor(Promise.resolve(1), { clock: systemClock, ms: HOUR_MS, over })),
  );
  expect(listeners).toBe(0);
});

it('tells nobody who asked to be forgotten', () => {
  const ending = new ConnectionEnd();
  const told: string[] = [];
  const forget = ending.on((reason) => told.push(`first ${reason}`));
  ending.on((reason) => told.push(`second ${reason}`));
  forget();
  ending.tell('over');
  expect(told).toEqual(['second over']);
  expect(ending.isOver).toBe(true);
});
