import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionLost, DatabaseError } from '../storage/database.ts';
import type { OrderStore } from '../storage/store.ts';
import { readinessOf, WriteWatch } from './readiness.ts';

const BATCH = { starts: [], changes: [] };
const diskFull = new DatabaseError('could not extend file', { sqlState: '53100' });

let now: number;
let read: { configuration: number; keys: number };
let ask: () => Promise<unknown>;
let fails: Error | undefined;
let writes: WriteWatch;
let stopping: AbortController;
const clock = { now: () => now, sleep: async () => {} };
const write = async () => {
  if (fails) throw fails;
};
const store = () => writes.over({ commit: async () => write().then(() => new Set()) } as unknown as OrderStore);
const commit = () =>
  store()
    .commit(BATCH)
    .catch(() => {});

beforeEach(() => {
  now = 1_000_000;
  read = { configuration: now, keys: now };
  ask = async () => {};
  fails = undefined;
  writes = new WriteWatch(clock);
  stopping = new AbortController();
});

afterEach(() => vi.useRealTimers());

const whyNot = () =>
  readinessOf({
    clock,
    configuration: { readAt: read.configuration },
    vault: { readAgoMs: now - read.keys },
    writes,
    stopping: stopping.signal,
    ask: () => ask(),
    write,
  })();

describe('a gateway is ready', () => {
  it('when nothing is wrong', async () => {
    expect(await whyNot()).toBeUndefined();
  });

  it('not while it stops', async () => {
    stopping.abort();
    expect(await whyNot()).toBe('it is stopping');
  });

  it('not without its database', async () => {
    ask = () => Promise.reject(new ConnectionLost('away'));
    expect(await whyNot()).toBe('the database cannot be reached');
  });

  it('not while its database is silent, and says so within seconds', async () => {
    vi.useFakeTimers();
    ask = () => new Promise(() => {});
    const said = whyNot();
    await vi.advanceTimersByTimeAsync(3_000);
    // Otherwise nothing would move the clock any more, and there would never be an answer.
    expect(await said).toBe('the database does not answer');
  });

  it.each([
    ['configuration', 'the configuration cannot be read'],
    ['keys', "the vault's keys cannot be read"],
  ] as const)('not with an old %s', async (what, reason) => {
    now += 5_001;
    read = { configuration: now, keys: now, [what]: now - 5_000 };
    expect(await whyNot()).toBeUndefined();
    read = { ...read, [what]: now - 5_001 };
    expect(await whyNot()).toBe(reason);
  });
});

describe('a gateway whose commits fail', () => {
  const REASON = 'the database takes no writes';

  it('is ready again with the next that succeeds', async () => {
    fails = diskFull;
    await commit();
    expect(await whyNot()).toBe(REASON);
    fails = undefined;
    expect(await whyNot()).toBe(REASON);
    await commit();
    expect(await whyNot()).toBeUndefined();
  });

  it('is ready again by itself when nobody has tried for a while and a small write succeeds', async () => {
    fails = diskFull;
    await commit();
    now += 5_000;
    read = { configuration: now, keys: now };
    expect(await whyNot()).toBe(REASON);
    fails = undefined;
    expect(await whyNot()).toBe(REASON);
    now += 5_000;
    read = { configuration: now, keys: now };
    expect(await whyNot()).toBeUndefined();
  });

  it('is ready all the same when it was the fault of what was written', async () => {
    fails = new DatabaseError('duplicate key', { sqlState: '23505' });
    await commit();
    fails = new TypeError('a bug');
    await commit();
    expect(await whyNot()).toBeUndefined();
  });
});
