import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryOrderStore } from '../../../test/simulation/memory-order-store.ts';
import type { Approval } from '../../domain/acquirer/acquirer-answer.ts';
import type { Clock } from '../../domain/clock.ts';
import { startOrder } from '../../domain/order/decide.ts';
import { DatabaseError } from '../../storage/database.ts';
import type { OrderRecord } from '../../storage/store.ts';
import type { Reported } from './conditional-writes.ts';
import { Door, type DoorOptions } from './door.ts';

const clock: Clock = { now: () => Date.UTC(2026, 5, 1), sleep: async () => {} };
const approval: Approval = { word: 'approved', approvalCode: 'A1B2C3', rrn: '123456789012', processorTxId: 'TX' };
const approved = { type: 'sent', seq: 1, leg: 1, answer: approval } as const;

let store: MemoryOrderStore;
let options: DoorOptions;
let door: Door;

beforeEach(() => {
  store = new MemoryOrderStore();
  options = { store, clock, leaseMs: 45_000, holdMs: 7 * 24 * 3_600_000, lanes: 1 };
  door = new Door(options);
});

function record(orderId: number, overrides: Partial<OrderRecord> = {}, clientOrderId = `inv-${orderId}`): OrderRecord {
  const order = startOrder(
    {
      merchantId: 1,
      orderId,
      endpointId: 101,
      clientOrderId,
      operation: 'sale',
      type: 'sale',
      currency: 'USD',
      notation: 'major',
      amount: 1000n,
      requestSerial: `serial-${orderId}`,
    },
    { now: clock.now(), leaseMs: 45_000, holdMs: 7 * 24 * 3_600_000 },
  );
  return {
    order,
    details: {},
    receiptId: 'receipt',
    fingerprint: Buffer.from(clientOrderId),
    control: undefined,
    idempotencyKey: undefined,
    leaseOwner: 'me',
    cardId: undefined,
    targetCardId: undefined,
    sealedTarget: undefined,
    cards: [],
    sealedCvv: undefined,
    attemptedCard: undefined,
    ...overrides,
  };
}

describe('the one door', () => {
  it('writes together what arrives together', async () => {
    await Promise.all(Array.from({ length: 100 }, (_, index) => door.start(record(index + 1))));
    expect(store.orders.size).toBe(100);
    expect(store.batches.length).toBeLessThan(5);
  });

  it('fails only the bad item of a batch', async () => {
    store.poison.add('inv-3');
    const results = await Promise.allSettled([1, 2, 3, 4].map((id) => door.start(record(id))));
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect([...store.orders.keys()]).toEqual([1, 2, 4]);
  });

  it('finds its own order again when the acknowledgement of the commit was lost', async () => {
    store.faults.push('acknowledgement-lost');
    await expect(door.start(record(1))).resolves.toMatchObject({ started: true });
    expect(store.orders.size).toBe(1);
  });

  it('repeats a commit that never happened', async () => {
    store.faults.push('not-written', 'not-written');
    await expect(door.start(record(1))).resolves.toMatchObject({ started: true });
  });

  it('writes no order whose sealed values may have outlived their key, and all others', async () => {
    const within = new Door({ store, clock, leaseMs: 45_000, holdMs: 1, lanes: 1, sealedForMs: 15_000 });
    const made = (orderId: number, ageMs: number) => {
      const { order, ...rest } = record(orderId);
      return within.start({ ...rest, order: { ...order, createdAt: clock.now() - ageMs } });
    };
    const results = await Promise.allSettled([made(1, 0), made(2, 15_000), made(3, 14_999)]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(results[1]).toMatchObject({ reason: { name: 'KeysTooOld' } });
    expect([...store.orders.keys()]).toEqual([1, 3]);
  });

  it('gives up when the database stays away, and says so to all who wait', async () => {
    store.faults.push(...Array.from({ length: 100 }, () => 'not-written' as const));
    const results = await Promise.allSettled([door.start(record(1)), door.start(record(2))]);
    expect(results.map((result) => result.status)).toEqual(['rejected', 'rejected']);
  });

  it('gives up on all who wait at once when no connection to the database can be made', async () => {
    let tries = 0;
    const unreachable = async () => {
      tries += 1;
      throw new DatabaseError('cannot reach the database', { sqlState: '08001' });
    };
    const away = new Door({ ...options, store: Object.assign(store, { commit: unreachable }) });
    const results = await Promise.allSettled([1, 2, 3, 4].map((id) => away.start(record(id))));
    expect(results.map((result) => result.status)).toEqual(Array(4).fill('rejected'));
    expect(tries).toBe(40);
  });

  it('does not try each change for itself when the database stays away for longer than a new order may wait', async () => {
    const { order } = record(1);
    await door.start(record(1));
    await door.start(record(2));
    let now = clock.now();
    let tries = 0;
    const unreachable = async () => {
      tries += 1;
      throw new DatabaseError('cannot reach the database', { sqlState: '08001' });
    };
    const sleep = async (ms: number) => {
      now += ms;
    };
    const parts = { store: Object.assign(store, { commit: unreachable }), clock: { now: () => now, sleep } };
    const away = new Door({ ...options, ...parts, sealedForMs: 5_000 });
    const results = await Promise.allSettled([
      away.start(record(3)),
      away.change(order, approved),
      away.change(record(2).order, approved),
      away.start(record(4)),
    ]);
    expect(results.map((result) => result.status)).toEqual(Array(4).fill('rejected'));
    expect(tries).toBe(20 + 40);
  });

  it.each<[string, () => [OrderRecord, OrderRecord]]>([
    ['the client order id', () => [record(1, {}, 'same'), record(2, {}, 'same')]],
    ['the control', () => [record(1, { control: Buffer.alloc(20) }), record(2, { control: Buffer.alloc(20) })]],
    ['the idempotency key', () => [record(1, { idempotencyKey: 'k' }), record(2, { idempotencyKey: 'k' })]],
  ])('lets one of two orders of one batch win when they share %s', async (_, make) => {
    const [first, second] = make();
    const outcomes = await Promise.all([door.start(first), door.start(second)]);
    expect(outcomes[0]).toMatchObject({ started: true });
    expect(outcomes[1]).toMatchObject({ started: false, existing: [{ order: { orderId: 1 } }] });
    expect(store.orders.size).toBe(1);
  });

  it('books an approval once, however often and from however many sides it comes', async () => {
    const { order } = record(1);
    await door.start(record(1));
    const heard = await Promise.all(Array.from({ length: 10 }, () => door.change(order, approved)));
    for (const { order: after } of heard) expect(after).toMatchObject({ version: 2, captured: 1000n });
    expect(store.balance).toBe(1000n);
  });

  it('tells of many who report the same which one moved the order', async () => {
    const { order } = record(1);
    await door.start(record(1));
    const heard = await Promise.all([1, 2, 3].map(() => door.change(order, approved)));
    expect(heard.map(({ moved }) => moved)).toEqual([true, false, false]);
    expect(await door.change(order, approved)).toMatchObject({ order: { version: 2 }, moved: false });
  });

  it('lets only the last of those who move a transaction together go on with it', async () => {
    const { order } = record(1);
    await door.start(record(1));
    const silence = {
      type: 'inquired',
      seq: 1,
      leg: 1,
      answer: { word: 'unknown', reason: '' },
      resendable: true,
    } as const;
    const heard = await Promise.all([door.change(order, silence), door.change(order, approved)]);
    expect(heard.map(({ moved }) => moved)).toEqual([false, true]);
    expect(heard[0]?.order.transactions[0]?.stage).toBe('approved');
  });

  it('begins a transaction with the marks of its request, and fails loudly where only a refusal can be', async () => {
    const { order } = record(1);
    await door.start(record(1));
    await door.change(order, approved);
    const marks = { idempotencyKey: 'k', fingerprint: Buffer.from('return'), leaseOwner: 'me' };
    const back = { type: 'follow-up', kind: 'return', amounts: [], requestSerial: 'back', comment: undefined } as const;
    const begun = await door.begin(order, back, marks);
    expect(begun).toMatchObject({ orderId: 1, transactions: [{}, { requestSerial: 'back' }] });
    expect(store.batches.at(-1)?.changes[0]?.begins).toEqual(new Map([['back', marks]]));
    await expect(door.change(order, { ...back, requestSerial: 'more' })).rejects.toThrow('Order 1 refused follow-up');
  });

  it('is empty when it says so', async () => {
    const started = door.start(record(1));
    await door.drained();
    expect(store.orders.size).toBe(1);
    await started;
  });

  it('decides anew when another node was faster', async () => {
    const { order } = record(1);
    await door.start(record(1));
    const elsewhere = new Door({ store, clock, leaseMs: 45_000, holdMs: 7 * 24 * 3_600_000, lanes: 1 });
    await elsewhere.change(order, approved);
    // This node still remembers the version it wrote.
    const declined = { type: 'sent', seq: 1, leg: 1, answer: { word: 'declined', code: '100' } } as const;
    const heard = await door.change(order, declined, { known: order });
    expect(heard.order.transactions[0]?.stage).toBe('approved');
    expect(heard.moved).toBe(false);
    expect(store.balance).toBe(1000n);
  });

  it('gives up on an order that keeps changing, with and without conditions', async () => {
    const { order } = record(1);
    await door.start(record(1));
    let tries = 0;
    const tried = () => {
      tries += 1;
    };
    store.commit = async () => {
      tried();
      return new Set();
    };
    store.commitAlone = async () => {
      tried();
      return 'conflict';
    };
    await expect(door.change(order, approved)).rejects.toThrow('Order 1 kept changing under us');
    await expect(door.change(order, approved, { covers: 0n })).rejects.toThrow('Order 1 kept changing under us');
    expect(tries).toBe(21 + 21);
  });

  it('is not led astray by those who keep remembering an older version', async () => {
    const { order } = record(1);
    await door.start(record(1));
    const elsewhere = new Door({ store, clock, leaseMs: 45_000, holdMs: 7 * 24 * 3_600_000, lanes: 1 });
    await elsewhere.change(order, approved);
    const commit = store.commit.bind(store);
    store.commit = async (batch) => {
      await new Promise((resolve) => setTimeout(resolve, 1));
      return commit(batch);
    };
    const heard: Promise<Reported>[] = [];
    for (let time = 0; time < 100; time++) {
      heard.push(door.change(order, approved, { known: order }));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    for (const { order: after } of await Promise.all(heard)) expect(after.transactions[0]?.stage).toBe('approved');
    expect(store.balance).toBe(1000n);
  });

  it('books once when the acknowledgement of the booking was lost', async () => {
    const { order } = record(1);
    await door.start(record(1));
    store.faults.push('acknowledgement-lost');
    const { order: after } = await door.change(order, approved, { known: order });
    expect(after.transactions[0]?.stage).toBe('approved');
    expect(store.balance).toBe(1000n);
  });

  it('refuses a change of an order that does not exist without failing its neighbours', async () => {
    const { order } = record(1);
    await door.start(record(1));
    const [known, unknown] = await Promise.allSettled([
      door.change(order, approved),
      door.change({ merchantId: 1, orderId: 99 }, approved),
    ]);
    expect(known.status).toBe('fulfilled');
    expect(unknown.status).toBe('rejected');
  });
});
