import { describe, expect, it } from 'vitest';
import { arrivals } from './arrivals.mjs';
import { DueRequests } from './due-requests.mjs';
import { Histogram } from './histogram.mjs';

describe('the histogram', () => {
  it('tells every quantile to one part in 64, over nine decades', () => {
    const histogram = new Histogram();
    const values = Array.from({ length: 20_000 }, (_, index) => Math.floor(1.001 ** index) % 3_000_000_000);
    for (const value of values) histogram.add(value);
    const sorted = values.toSorted((a, b) => a - b);
    for (const share of [0.001, 0.25, 0.5, 0.9, 0.99, 0.999, 1]) {
      const truth = sorted[Math.ceil(sorted.length * share) - 1] ?? 0;
      expect(histogram.quantile(share)).toBeGreaterThanOrEqual(truth);
      expect(histogram.quantile(share)).toBeLessThanOrEqual(truth * (1 + 1 / 64));
    }
    expect(histogram.count).toBe(values.length);
    expect(histogram.max).toBe(sorted.at(-1));
  });

  it('has every value in one bucket, in order, also what is longer than an hour', () => {
    const quantileOf = (value: number) => {
      const histogram = new Histogram();
      histogram.add(value);
      histogram.add(value * 4 + 1e10);
      return histogram.quantile(0.5);
    };
    for (let bits = 0; bits < 31; bits++) {
      for (const value of [2 ** bits - 1, 2 ** bits, 2 ** bits + 1]) {
        expect(quantileOf(value)).toBeGreaterThanOrEqual(value);
        expect(quantileOf(value)).toBeLessThanOrEqual(value + value / 64);
      }
    }
    expect(new Histogram().quantile(0.5)).toBeNaN();
  });
});

describe('the schedule', () => {
  const first = (number: number, next: () => number) => Array.from({ length: number }, next);

  it('is even, or independent at the same rate, and the same for the same seed', () => {
    expect(first(4, arrivals({ rate: 500 }))).toEqual([0, 2, 4, 6]);
    const poisson = (seed: number) => first(20_000, arrivals({ rate: 500, kind: 'poisson', seed }));
    const times = poisson(7);
    expect((times.at(-1) ?? 0) / times.length).toBeCloseTo(2, 1);
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(Math.min(...gaps)).toBeGreaterThanOrEqual(0);
    // Of independent arrivals 1 - 1/e come sooner than the mean.
    expect(gaps.filter((gap) => gap < 2).length / gaps.length).toBeCloseTo(0.632, 1);
    expect(poisson(7)).toEqual(times);
    expect(poisson(8)).not.toEqual(times);
  });
});

/** A server with so many connections that answers in 1 ms, but nobody from the first second to the second. */
function run({ connections, isClosed, patienceMs }: { connections: number; isClosed?: boolean; patienceMs?: number }) {
  const next = arrivals({ rate: 100 });
  const requests = new DueRequests({ next, untilMs: 4_000, ...(patienceMs && { patienceMs }) });
  const closed = new Histogram();
  const underWay: { dueAt: number; sentAt: number; endsAt: number }[] = [];
  for (let now = 0; !requests.isOver; now += 1) {
    for (const one of underWay.filter(({ endsAt }) => endsAt <= now)) {
      underWay.splice(underWay.indexOf(one), 1);
      requests.end(one.dueAt, 'answered', now);
      closed.add((now - one.sentAt) * 1000);
    }
    requests.advance(now);
    while (underWay.length < connections) {
      const dueAt = requests.take();
      if (dueAt === undefined) break;
      underWay.push({ dueAt, sentAt: now, endsAt: now >= 1_000 && now < 2_000 ? 2_001 : now + 1 });
    }
  }
  return { requests, latencies: isClosed ? closed : requests.latencies };
}

describe('the open loop', () => {
  it('charges a stop of one second to all who came meanwhile; counted from the sending it looks like one', () => {
    const open = run({ connections: 1 });
    const closed = run({ connections: 1, isClosed: true });
    expect(open.requests.outcomes).toMatchObject({ answered: 400, abandoned: 0 });
    // A hundred were due in that second, and waited half of it in the mean.
    expect(open.latencies.quantile(0.9)).toBeGreaterThan(500_000);
    expect(open.latencies.quantile(0.99)).toBeGreaterThan(900_000);
    // The same run, by the clock of who sends after the last answer: the stop is one request of four hundred.
    expect(closed.latencies.quantile(0.99)).toBeLessThan(2_000);
  });

  it('does not depend on how many connections there are', () => {
    const few = run({ connections: 10 }).latencies;
    const many = run({ connections: 200 }).latencies;
    for (const share of [0.5, 0.8, 0.9, 0.99]) {
      expect(few.quantile(share) / many.quantile(share)).toBeGreaterThan(0.85);
      expect(few.quantile(share) / many.quantile(share)).toBeLessThan(1.25);
    }
  });

  it('lets clients go that have waited for too long, and loses none', () => {
    const { requests } = run({ connections: 1, patienceMs: 300 });
    const { answered, abandoned } = requests.outcomes;
    expect(answered + abandoned).toBe(400);
    expect(abandoned).toBeGreaterThan(60);
    expect(requests.due).toBe(400);
  });

  it('counts the latency of answers alone', () => {
    const requests = new DueRequests({ next: arrivals({ rate: 1000 }), untilMs: 3 });
    requests.advance(10);
    requests.end(requests.take() ?? 0, 'shed', 11);
    requests.end(requests.take() ?? 0, 'answered', 12);
    expect(requests).toMatchObject({ underWay: 0, waiting: 1, isOver: false });
    expect(requests.latencies.count).toBe(1);
    expect(requests.outcomes).toMatchObject({ shed: 1, answered: 1 });
  });
});
