import { describe, expect, it } from 'vitest';
import type { Clock } from '../../domain/clock.ts';
import { type CallEnd, TimeLimit } from './time-limit.ts';

const LIMIT_MS = 1_000;

/** A clock whose only sleeper wakes when the test says so. */
class HandClock implements Clock {
  #now = 50_000;
  #wake = () => {};

  now = () => this.#now;

  sleep(_ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      signal?.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  async pass(ms: number): Promise<void> {
    this.#now += ms;
    this.#wake();
    await new Promise(setImmediate);
  }
}

function setUp() {
  const clock = new HandClock();
  const limit = new TimeLimit({ clock, limitMs: LIMIT_MS, late: 'late' });
  const ended: string[] = [];
  /** A call that ends only when the test says what it answers. */
  const call = (name: string) => {
    let answer: (text: string) => void = () => {};
    let end: CallEnd | undefined;
    const bound = limit.bound<string>((given) => {
      end = given;
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    bound.then((text) => ended.push(`${name} ${text}`));
    return { answer: (text: string) => answer(text), end: end as unknown as CallEnd };
  };
  return { clock, limit, ended, call };
}

describe('a limited call', () => {
  it('gives its answer, and a late one does not count', async () => {
    const { clock, ended, call } = setUp();
    const one = call('one');
    one.answer('done');
    await clock.pass(LIMIT_MS);
    one.answer('again');
    await clock.pass(LIMIT_MS);
    expect(ended).toEqual(['one done']);
  });

  it('is late when its time is up, one after the other, whichever ended before', async () => {
    const { clock, ended, call } = setUp();
    call('first');
    await clock.pass(400);
    const second = call('second');
    await clock.pass(400);
    call('third');
    second.answer('done');
    await clock.pass(199);
    expect(ended).toEqual(['second done']);
    await clock.pass(1);
    expect(ended).toEqual(['second done', 'first late']);
    await clock.pass(799);
    expect(ended).toHaveLength(2);
    await clock.pass(1);
    expect(ended).toEqual(['second done', 'first late', 'third late']);
  });

  it('is told that nobody waits for it any more', async () => {
    const { clock, call } = setUp();
    const { signal } = call('one').end;
    expect(signal.aborted).toBe(false);
    await clock.pass(LIMIT_MS);
    expect(signal.aborted).toBe(true);
  });

  it('does not wait longer because the clock was set back', async () => {
    const { clock, ended, call } = setUp();
    call('one');
    await clock.pass(-10_000);
    expect(ended).toEqual(['one late']);
  });

  it('breaks as its work does', async () => {
    const { limit } = setUp();
    await expect(limit.bound(() => Promise.reject(new Error('garbled')))).rejects.toThrow('garbled');
  });

  it('is watched anew after all have ended', async () => {
    const { clock, ended, call } = setUp();
    call('one');
    await clock.pass(LIMIT_MS);
    call('two');
    await clock.pass(LIMIT_MS);
    expect(ended).toEqual(['one late', 'two late']);
  });
});

it('ends every call when it is closed', async () => {
  const { limit, ended, call } = setUp();
  call('one');
  call('two').answer('done');
  call('three');
  await new Promise(setImmediate);
  limit.close();
  await new Promise(setImmediate);
  expect(ended).toEqual(['two done', 'one late', 'three late']);
});
