import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryOrderStore } from '../../../test/simulation/memory-order-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { startOrder } from '../../domain/order/decide.ts';
import type { Tally } from '../../domain/screening/screening.ts';
import { ConnectionLost } from '../../storage/database.ts';
import type { PlacedLimit, ScreenedOutcome, ScreenedWrite, ScreeningStore } from '../../storage/screening.ts';
import type { OrderRecord } from '../../storage/store.ts';
import type { Vault } from '../../vault/vault.ts';
import type { MaterialsStore } from '../orders/materials.ts';
import { Screening } from './screening.ts';

const clock: Clock = { now: () => Date.UTC(2026, 5, 1), sleep: async () => {} };
const once: PlacedLimit = {
  limit: { kind: 'card', windowMs: 60_000, maxCount: 1, maxSum: undefined },
  digest: Buffer.alloc(32),
};

let orders: MemoryOrderStore;
let screening: Screening;
/** What each commit in turn counts and suffers. */
let commits: { readonly counts: number; readonly lost?: 'before' | 'after' }[];

/** Until when marks were to be looked at that are removed now. */
let forgotten: number[];

/** Writes into the orders' store, as the real one does in one transaction. */
const store: ScreeningStore = {
  async commit({ decide }: ScreenedWrite): Promise<ScreenedOutcome> {
    const { counts, lost } = commits.shift() as (typeof commits)[number];
    if (lost === 'before') throw new ConnectionLost('before the commit');
    const tally: Tally = { count: counts, sum: 0n };
    const record = decide([tally]);
    const written = await orders.commit({ starts: [record], changes: [] });
    if (lost === 'after') throw new ConnectionLost('after the commit');
    return written.size === 1 ? { written: record.order } : 'conflict';
  },
  async forget(now) {
    forgotten.push(now);
    return 0;
  },
};

beforeEach(() => {
  orders = new MemoryOrderStore();
  forgotten = [];
  const nothing = { vault: {} as Vault, materials: {} as MaterialsStore };
  screening = new Screening({ store, orders, clock, lanes: 1, ...nothing });
});

function record(orderId: number, clientOrderId = `inv-${orderId}`): OrderRecord {
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
    { now: clock.now(), leaseMs: 45_000, holdMs: 1 },
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
    sealedCvv: { bytes: Buffer.from('sealed'), dataKeyId: 1 },
    attemptedCard: undefined,
  };
}

const stageOf = (outcome: unknown) =>
  (outcome as { order?: OrderRecord['order'] }).order?.transactions[0]?.stage ?? 'not started';

describe('an order that limits may stop', () => {
  it('goes on when they do not', async () => {
    commits = [{ counts: 0 }];
    expect(stageOf(await screening.start(record(1), [once], 0n))).toBe('sending');
  });

  it('is written as filtered when they do, without the security code', async () => {
    commits = [{ counts: 1 }];
    expect(stageOf(await screening.start(record(1), [once], 0n))).toBe('filtered');
    expect(orders.records.get(1)).toMatchObject({ sealedCvv: undefined });
    expect(orders.orders.get(1)?.transactions).toMatchObject([{ filterReason: 'card-over-limit', dueAt: undefined }]);
  });

  it('is what was written, also when the acknowledgement was lost and the count has changed since', async () => {
    commits = [{ counts: 0, lost: 'after' }, { counts: 1 }];
    expect(stageOf(await screening.start(record(1), [once], 0n))).toBe('sending');
    commits = [{ counts: 1, lost: 'after' }, { counts: 0 }];
    expect(stageOf(await screening.start(record(2), [once], 0n))).toBe('filtered');
    commits = [{ counts: 0, lost: 'before' }, { counts: 0 }];
    expect(stageOf(await screening.start(record(3), [once], 0n))).toBe('sending');
  });

  it('answers what stands in its way', async () => {
    commits = [{ counts: 0 }, { counts: 1 }];
    await screening.start(record(1, 'inv'), [once], 0n);
    const repeat = await screening.start(record(2, 'inv'), [once], 0n);
    expect(repeat).toMatchObject({ started: false, existing: [{ order: { orderId: 1 } }] });
  });

  it('finds what it counts although it is written minutes late', async () => {
    const stopping = new AbortController();
    const once = { ...clock, sleep: async () => stopping.abort() };
    const parts = { store, orders, lanes: 1, vault: {} as Vault, materials: {} as MaterialsStore };
    await new Screening({ ...parts, clock: once }).run(stopping.signal, () => {});
    expect(forgotten).toEqual([clock.now() - 10 * 60_000]);
  });
});
