import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import type { Log, LogFields } from '../../telemetry/log.ts';
import { DueWork, type DueWorkOptions } from './due-work.ts';

type Item = { readonly id: number; readonly end: ReturnType<typeof deferred> };

/** A loop over things that are due, with a clock that stands still until it is moved. */
class Bench {
  now = 0;
  readonly due: Item[] = [];
  readonly claims: { at: number; limit: number }[] = [];
  readonly begun: number[] = [];
  readonly said: string[] = [];
  readonly sleeps: { until: number; wake: () => void }[] = [];
  readonly stopping = new AbortController();
  readonly work: DueWork<Item>;
  claiming: Promise<void> | undefined;
  #made = 0;

  constructor(options: Partial<DueWorkOptions<Item>> = {}) {
    const line =
      (level: string) =>
      (message: string, { error, ...about }: LogFields = {}) => {
        this.said.push(`${level}: ${message} ${JSON.stringify(about)} ${(error as Error).message}`);
      };
    this.work = new DueWork({
      name: 'things',
      one: 'a thing',
      clock: { now: () => this.now, sleep: (ms, signal) => this.#sleep(ms, signal) },
      log: { info: line('info'), warn: line('warn'), error: line('error') } satisfies Log,
      everyMs: 500,
      lot: 2,
      most: 100,
      claim: async (limit) => {
        this.claims.push({ at: this.now, limit });
        await this.claiming;
        return this.due.splice(0, limit);
      },
      handle: ({ id, end }) => {
        this.begun.push(id);
        return end.promise;
      },
      about: ({ id }) => ({ orderId: id }),
      ...options,
    });
  }

  get looks(): number[] {
    return this.claims.map(({ at }) => at);
  }

  add(count: number): Item[] {
    const added = Array.from({ length: count }, () => ({ id: ++this.#made, end: deferred() }));
    this.due.push(...added);
    return added;
  }

  run(): Promise<void> {
    return this.work.run(this.stopping.signal);
  }

  async pass(ms: number): Promise<void> {
    await settle();
    this.now += ms;
    for (const { until, wake } of [...this.sleeps]) if (until <= this.now) wake();
    await settle();
  }

  #sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const sleep = { until: this.now + ms, wake: () => {} };
      sleep.wake = () => {
        this.sleeps.splice(this.sleeps.indexOf(sleep), 1);
        signal?.removeEventListener('abort', sleep.wake);
        resolve();
      };
      this.sleeps.push(sleep);
      if (signal?.aborted) sleep.wake();
      else signal?.addEventListener('abort', sleep.wake, { once: true });
    });
  }
}

describe('a loop over what comes due', () => {
  it('looks again after its pause, and at once after a full lot', async () => {
    const bench = new Bench();
    bench.add(5);
    void bench.run();
    await settle();
    expect([bench.looks, bench.begun]).toEqual([
      [0, 0, 0],
      [1, 2, 3, 4, 5],
    ]);
    await bench.pass(499);
    expect(bench.looks).toHaveLength(3);
    await bench.pass(1);
    expect(bench.looks).toEqual([0, 0, 0, 500]);
  });

  it('looks at once when it is woken, also while it is looking', async () => {
    const bench = new Bench();
    void bench.run();
    await settle();
    bench.work.wake();
    await settle();
    expect(bench.looks).toEqual([0, 0]);
    const claiming = deferred();
    bench.claiming = claiming.promise;
    await bench.pass(500);
    bench.work.wake();
    claiming.resolve();
    await settle();
    expect(bench.looks).toEqual([0, 0, 500, 500]);
  });

  it('rests between two looks where it is told to, whoever wakes it', async () => {
    const bench = new Bench({ restMs: 20 });
    bench.add(2);
    void bench.run();
    await settle();
    bench.work.wake();
    await bench.pass(19);
    expect(bench.looks).toEqual([0]);
    await bench.pass(1);
    expect(bench.looks).toEqual([0, 20]);
  });

  it('claims no more than there is room for, and looks again when half of it is free', async () => {
    const bench = new Bench({ lot: 3, most: 4 });
    const items = bench.add(9);
    void bench.run();
    await settle();
    expect(bench.claims.map(({ limit }) => limit)).toEqual([3, 1]);
    items[0]?.end.resolve();
    await settle();
    expect(bench.begun).toHaveLength(4);
    items[1]?.end.resolve();
    await settle();
    expect(bench.claims.map(({ limit }) => limit)).toEqual([3, 1, 2]);
    expect(bench.begun).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('survives a claim that fails, and tells of it once', async () => {
    let isAway = true;
    const claim = async () => {
      if (isAway) throw new Error('away');
      return bench.due.splice(0);
    };
    const bench: Bench = new Bench({ claim });
    bench.add(1);
    void bench.run();
    await settle();
    expect(bench.said).toEqual(['warn: looking for due things failed {} away']);
    isAway = false;
    await bench.pass(500);
    expect(bench.begun).toEqual([1]);
    expect(bench.said).toHaveLength(1);
  });

  it('leaves what fails to its lease, and tells about what', async () => {
    const bench = new Bench();
    const [one, other] = bench.add(2);
    void bench.run();
    await settle();
    one?.end.reject(new Error('broken'));
    other?.end.resolve();
    await bench.work.drained();
    expect(bench.said).toEqual(['error: a thing was left to its lease {"orderId":1} broken']);
  });

  it('does its chore before a claim, not more often than it is told to, and again soon when it failed', async () => {
    const done: number[] = [];
    const chore = {
      everyMs: 1_000,
      do: async () => {
        done.push(bench.now);
        if (done.length === 1) throw new Error('not yet');
      },
    };
    const bench: Bench = new Bench({ chore });
    void bench.run();
    for (let look = 0; look < 5; look++) await bench.pass(500);
    expect(done).toEqual([0, 500, 1_500, 2_500]);
    expect(bench.looks).toEqual([500, 1_000, 1_500, 2_000, 2_500]);
  });

  it('stops at once and gives back what has not begun; what is under way ends', async () => {
    const givenBack: number[] = [];
    const bench: Bench = new Bench({ giveBack: () => givenBack.push(bench.now) });
    const [item] = bench.add(1);
    const running = bench.run();
    await bench.pass(100);
    bench.stopping.abort();
    await running;
    expect([bench.looks, givenBack, bench.sleeps, bench.work.underWay]).toEqual([[0], [100], [], 1]);
    item?.end.resolve();
    await bench.work.drained();
    expect(bench.work.underWay).toBe(0);
  });

  it('stops also when it is told to while it looks', async () => {
    const bench = new Bench({ restMs: 20 });
    const claiming = deferred();
    bench.claiming = claiming.promise;
    const running = bench.run();
    await settle();
    bench.stopping.abort();
    claiming.resolve();
    await running;
    expect([bench.looks, bench.sleeps]).toEqual([[0], []]);
  });

  it('ties nothing more to the signal that stops it, however often it looks', async () => {
    const any = vi.spyOn(AbortSignal, 'any');
    const bench = new Bench();
    void bench.run();
    for (let look = 0; look < 20; look++) await bench.pass(500);
    expect(bench.looks).toHaveLength(21);
    expect(any).not.toHaveBeenCalled();
    expect(getEventListeners(bench.stopping.signal, 'abort')).toHaveLength(1);
    any.mockRestore();
  });
});

describe('what is under way', () => {
  it('is counted until it ends, well or not, and gives what it ends with', async () => {
    const { work, said } = new Bench();
    const [one, other] = [deferred(), deferred()];
    const results = Promise.all([
      work.track(
        one.promise.then(() => 'done'),
        {},
      ),
      work.track(other.promise, {}),
    ]);
    expect(work.underWay).toBe(2);
    one.resolve();
    other.reject(new Error('broken'));
    await work.drained();
    expect(work.underWay).toBe(0);
    expect(await results).toEqual(['done', undefined]);
    expect(said).toHaveLength(1);
  });

  it('is over only when what was begun meanwhile has ended too', async () => {
    const { work } = new Bench();
    const [one, other] = [deferred(), deferred()];
    let isDrained = false;
    void work.track(one.promise, {});
    // The last item that ends begins it, before those who wait go on.
    one.promise.then(() => work.track(other.promise, {}));
    const drained = work.drained().then(() => {
      isDrained = true;
    });
    one.resolve();
    await settle();
    expect([work.underWay, isDrained]).toEqual([1, false]);
    other.resolve();
    await drained;
    expect(work.underWay).toBe(0);
  });

  it('is over at once when there is nothing', async () => {
    await new Bench().work.drained();
  });
});

const settle = () => new Promise(setImmediate);

function deferred() {
  let resolve = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((fulfil, refuse) => {
    resolve = fulfil;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
