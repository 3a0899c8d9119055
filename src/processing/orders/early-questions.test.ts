import { describe, expect, it } from 'vitest';
import type { Order } from '../../domain/order/order.ts';
import type { Stage } from '../../domain/order/stages.ts';
import type { DueTransaction } from '../../storage/store.ts';
import { EarlyQuestions } from './early-questions.ts';

const KEY = { merchantId: 1, orderId: 77, seq: 1 };

type Found = 'due' | 'held' | 'not-open';

/** Questions to a store that finds these in turn, and the last one ever after. */
function questions(...found: readonly (Found | Error)[]) {
  const seen = { asked: [] as DueTransaction[], woken: 0, slept: [] as number[], logged: [] as string[], now: 0 };
  const sleep = async (ms: number) => {
    seen.slept.push(ms);
    seen.now += ms;
  };
  const wake = () => {
    seen.woken += 1;
  };
  const log = (message: string) => void seen.logged.push(message);
  const early = new EarlyQuestions({
    clock: { now: () => seen.now, sleep },
    log: { info: log, warn: log, error: log },
    store: {
      dueNow: async (transaction) => {
        const one = found[Math.min(seen.asked.push(transaction), found.length) - 1] ?? 'not-open';
        if (one instanceof Error) throw one;
        return one;
      },
    },
    work: { due: { wake } },
  });
  return { early, seen };
}

const orderIn = (stage: Stage, orderId = KEY.orderId) =>
  ({ merchantId: 1, orderId, transactions: [{ seq: 1, stage, originalSeq: undefined }] }) as unknown as Order;

describe('a question ahead of its time', () => {
  it.each<[string, Found[], asked: boolean, looks: number]>([
    ['is put at once where nobody works on the transaction', ['due'], true, 1],
    ['is not put where there is nothing to ask', ['not-open'], false, 1],
    ['waits for a node at work', ['held', 'held', 'due'], true, 3],
    ['is not needed when that node found out', ['held', 'not-open'], false, 2],
    ['is given up when a node holds it for longer than any lease', ['held'], false, 120],
  ])('%s', async (_, found, asked, looks) => {
    const { early, seen } = questions(...found);
    expect(await early.ask(KEY)).toBe(asked);
    expect(seen.asked).toEqual(Array.from({ length: looks }, () => KEY));
    expect(seen.woken).toBe(asked ? 1 : 0);
    expect(new Set(seen.slept)).toEqual(new Set(looks > 1 ? [1_000] : []));
  });

  it('that meets a broken database is left to the schedule', async () => {
    const { early, seen } = questions(new Error('away'));
    expect(await early.ask(KEY)).toBe(false);
    expect(seen.logged).toEqual(['a bank was not asked before its time']);
  });

  it('waits no longer when the gateway closes', async () => {
    const { early, seen } = questions('held');
    const asked = early.ask(KEY);
    await early.close();
    expect(await asked).toBe(false);
    expect(seen.asked).toHaveLength(1);
  });
});

describe('a payer who comes back', () => {
  it.each<[Stage, number]>([
    ['challenged', 1],
    ['asking', 1],
    ['sending', 0],
    ['approved', 0],
    ['undoing', 0],
    ['awaiting-payer', 0],
  ])('of a payment that is %s makes %i questions', async (stage, times) => {
    const { early, seen } = questions('due');
    early.payerCameBack(orderIn(stage));
    await early.close();
    expect(seen.asked).toHaveLength(times);
  });

  it('again and again makes fewer and fewer, at most one a minute', () => {
    const { early, seen } = questions('due');
    const times: number[] = [];
    for (; seen.now < 300_000; seen.now += 500) {
      const before = seen.asked.length;
      early.payerCameBack(orderIn('challenged'));
      if (seen.asked.length > before) times.push(seen.now / 1_000);
    }
    expect(times).toEqual([0, 3, 9, 21, 45, 93, 153, 213, 273]);
  });

  it('keeps no other from it', () => {
    const { early, seen } = questions('due');
    for (const orderId of [1, 2, 3]) early.payerCameBack(orderIn('challenged', orderId));
    expect(seen.asked.map(({ orderId }) => orderId)).toEqual([1, 2, 3]);
  });
});
