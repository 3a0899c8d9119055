import { describe, expect, it } from 'vitest';
import { ShedRequests, TOLD_EVERY_MS } from './shed-requests.ts';

/** Stands still until it is put forward. */
function fakeClock() {
  let now = 1_000;
  let sleeper: (() => void) | undefined;
  const wake = async () => {
    const woken = sleeper;
    sleeper = undefined;
    woken?.();
    // What was woken goes on until it sleeps again, or ends.
    for (let turn = 0; turn < 10; turn++) await Promise.resolve();
  };
  return {
    now: () => now,
    sleep: (_: number, signal?: AbortSignal) =>
      new Promise<void>((resolve) => {
        sleeper = resolve;
        signal?.addEventListener('abort', () => resolve(), { once: true });
      }),
    forward: (ms: number) => {
      now += ms;
      return wake();
    },
  };
}

function open() {
  const clock = fakeClock();
  const told: string[] = [];
  const counts: number[] = [];
  const shed = new ShedRequests({
    clock,
    tell: ({ count, detail }) => {
      told.push(detail);
      counts.push(count);
    },
  });
  const stopping = new AbortController();
  const ended = shed.run(stopping.signal);
  const close = () => {
    stopping.abort();
    return ended;
  };
  return { clock, shed, told, counts, close };
}

describe('requests that were shed', () => {
  it('are told in one line for all of some seconds', async () => {
    const { clock, shed, told, close } = open();
    for (let number = 0; number < 1_204; number++) shed.count(1 + (number % 3));
    expect(told).toEqual([]);
    await clock.forward(TOLD_EVERY_MS);
    expect(told).toEqual(['shed 1,204 requests of 3 merchants in 10 s']);
    await close();
    expect(told).toHaveLength(1);
  });

  it('are no line while there are none, and each time is told by itself', async () => {
    const { clock, shed, told, close } = open();
    await clock.forward(TOLD_EVERY_MS);
    shed.count(7);
    await clock.forward(TOLD_EVERY_MS);
    await clock.forward(TOLD_EVERY_MS);
    shed.count(7);
    shed.count(7);
    await clock.forward(TOLD_EVERY_MS);
    expect(told).toEqual(['shed 1 request of 1 merchant in 10 s', 'shed 2 requests of 1 merchant in 10 s']);
    await close();
  });

  it('are all told at the end, those of nobody too', async () => {
    const { clock, shed, told, counts, close } = open();
    for (let number = 0; number < 5; number++) shed.count(1);
    await clock.forward(TOLD_EVERY_MS);
    for (let number = 0; number < 3; number++) shed.count(undefined);
    await clock.forward(2_000);
    for (let number = 0; number < 4; number++) shed.count(2);
    await close();
    expect(counts).toEqual([5, 3, 4]);
    expect(told.slice(1)).toEqual(['shed 3 requests of 0 merchants in 2 s', 'shed 4 requests of 1 merchant in 1 s']);
  });
});
