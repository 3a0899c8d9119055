import { beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../domain/clock.ts';
import type { StrangerStore } from '../../storage/requests/strangers.ts';
import { Strangers } from './strangers.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const LIMIT = 10;

let now = 0;
const clock = { now: () => now } as unknown as Clock;

/** What the nodes of a test tell each other. */
function memoryStore(): StrangerStore {
  const counts = new Map<string, { minute: number; block: string; asked: number }>();
  const recognised = new Map<string, number>();
  return {
    async exchange(news) {
      for (const one of news.counted) {
        const key = `${one.minute} ${one.block}`;
        counts.set(key, { ...one, asked: one.asked + (counts.get(key)?.asked ?? 0) });
      }
      for (const { address, seenAt } of news.recognised) recognised.set(address, seenAt);
      return {
        counts: [...counts.values()].filter(({ minute, asked }) => minute === news.minute && asked >= news.atLeast),
        recognised: [...recognised]
          .map(([address, seenAt]) => ({ address, seenAt }))
          .filter(({ seenAt }) => seenAt >= news.since),
      };
    },
    forget: async () => {},
  };
}

let store = memoryStore();
const node = (limit: number | undefined = LIMIT) => new Strangers({ clock, store, limit });

beforeEach(() => {
  now = 100 * DAY + 15_000;
  store = memoryStore();
});

function ask(strangers: Strangers, address: string, times: number): number {
  let passed = 0;
  for (let time = 0; time < times; time++) {
    if (strangers.secondsToWait(address) !== undefined) continue;
    passed += 1;
    strangers.count(address);
  }
  return passed;
}

describe('strangers', () => {
  it('of one address range are refused beyond the limit until the minute is over', () => {
    const strangers = node();
    expect(ask(strangers, '203.0.113.1', 6)).toBe(6);
    expect(ask(strangers, '203.0.113.200', 100)).toBe(4);
    expect(strangers.secondsToWait('203.0.113.77')).toBe(45);
    expect(strangers.secondsToWait('203.0.114.77')).toBe(undefined);
    now += 45_000;
    expect(ask(strangers, '203.0.113.200', 100)).toBe(LIMIT);
  });

  it('of one range of version 6 are one', () => {
    const strangers = node();
    expect(ask(strangers, '2001:db8::1', 8) + ask(strangers, '2001:db8::ffff:1', 8)).toBe(LIMIT);
    expect(ask(strangers, '2001:db8:0:1::1', 8)).toBe(8);
  });

  it('are not limited where no limit is set', () => {
    expect(ask(new Strangers({ clock, store, limit: undefined }), '203.0.113.1', 500)).toBe(500);
  });

  it('from more address ranges than can be counted share a limit', () => {
    const strangers = node();
    let passed = 0;
    for (let block = 0; block < 30_000; block++) passed += ask(strangers, `10.${block >> 8}.${block & 255}.1`, 1);
    expect(passed).toBe(20_000 + 20 * LIMIT);
  });

  it('are counted together by all nodes', async () => {
    const [one, other] = [node(), node()];
    ask(one, '203.0.113.1', 6);
    ask(other, '203.0.113.1', 3);
    await one.exchange();
    await other.exchange();
    expect(ask(other, '203.0.113.1', 100)).toBe(1);
    await other.exchange();
    await one.exchange();
    expect(ask(one, '203.0.113.1', 100)).toBe(0);
    await one.exchange();
    await other.exchange();
    expect(ask(other, '203.0.113.1', 100)).toBe(0);
  });
});

describe('who was recognised', () => {
  it('goes past the limit for a week, alone of its address range', () => {
    const strangers = node();
    strangers.recognise('203.0.113.9');
    ask(strangers, '203.0.113.1', 100);
    expect(strangers.secondsToWait('203.0.113.9')).toBe(undefined);
    expect(strangers.secondsToWait('203.0.113.8')).toBe(45);
    now += 8 * DAY;
    ask(strangers, '203.0.113.1', 100);
    expect(strangers.secondsToWait('203.0.113.9')).toBe(45);
  });

  it('is known to every node, and to one that starts later', async () => {
    const [one, other] = [node(), node()];
    one.recognise('203.0.113.9');
    one.recognise('2001:db8::1');
    await one.exchange();
    now += DAY;
    const late = node();
    for (const strangers of [other, late]) {
      await strangers.exchange();
      ask(strangers, '203.0.113.1', 100);
      ask(strangers, '2001:db8::2', 100);
      expect(strangers.secondsToWait('203.0.113.9')).toBe(undefined);
      expect(strangers.secondsToWait('2001:db8::3')).toBe(undefined);
      expect(strangers.secondsToWait('203.0.113.10')).toBe(45);
    }
  });
});
