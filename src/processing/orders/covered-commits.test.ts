import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryOrderStore } from '../../../test/simulation/memory-order-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { type NewOrder, startOrder } from '../../domain/order/decide.ts';
import type { OrderRecord } from '../../storage/store.ts';
import { Door } from './door.ts';

const clock: Clock = { now: () => Date.UTC(2026, 5, 1), sleep: async () => {} };
const moment = { now: clock.now(), leaseMs: 45_000, holdMs: 7 * 24 * 3_600_000 };
const confirmation = { requestSerial: 'confirmed', fingerprint: Buffer.alloc(0), idempotencyKey: undefined };

let store: MemoryOrderStore;
let door: Door;

beforeEach(() => {
  store = new MemoryOrderStore();
  store.balance = 2500n;
  door = new Door({ store, clock, leaseMs: moment.leaseMs, holdMs: moment.holdMs, lanes: 1 });
});

function payout(orderId: number, changes: Partial<NewOrder> = {}): OrderRecord {
  const intent: NewOrder = {
    merchantId: 1,
    orderId,
    endpointId: 101,
    clientOrderId: `out-${orderId}`,
    operation: 'payout',
    type: 'payout',
    currency: 'USD',
    notation: 'major',
    amount: 1000n,
    requestSerial: `serial-${orderId}`,
  };
  return {
    order: startOrder({ ...intent, ...changes }, moment),
    details: {},
    receiptId: 'receipt',
    fingerprint: Buffer.from(intent.clientOrderId),
    control: undefined,
    idempotencyKey: undefined,
    leaseOwner: 'me',
    cardId: undefined,
    targetCardId: undefined,
    sealedTarget: undefined,
    cards: [],
    sealedCvv: undefined,
    attemptedCard: undefined,
  };
}

describe('what is paid from a balance', () => {
  it('is written as far as the balance reaches', async () => {
    const outcomes = await Promise.all([1, 2, 3].map((id) => door.startCovered(payout(id), 0n)));
    expect(outcomes).toMatchObject([{ started: true }, { started: true }, { available: 500n }]);
    expect(await door.startCovered(payout(4), 500n)).toMatchObject({ started: true });
    expect(store.balance).toBe(-500n);
  });

  it('is spent once when the acknowledgement of the commit is lost', async () => {
    store.faults.push('acknowledgement-lost');
    expect(await door.startCovered(payout(1), 0n)).toMatchObject({ started: true });
    expect(store.balance).toBe(1500n);
  });

  it('meets an earlier order of the same name', async () => {
    await door.startCovered(payout(1), 0n);
    const outcome = await door.startCovered(payout(2, { clientOrderId: 'out-1' }), 0n);
    expect(outcome).toMatchObject({ started: false, existing: [{ order: { orderId: 1 } }] });
    expect(store.balance).toBe(1500n);
  });

  it('is spent at its confirmation, by the first one only', async () => {
    const waiting = payout(1, { awaitsConfirmation: true });
    await door.start(waiting);
    expect(store.balance).toBe(2500n);
    const outcomes = await Promise.all([1, 2, 3].map(() => door.confirmCovered(waiting.order, confirmation, 0n)));
    expect(outcomes.map((one) => 'isFirst' in one && one.isFirst)).toEqual([true, false, false]);
    expect(store.balance).toBe(1500n);
    expect(store.orders.get(1)?.transactions[0]?.stage).toBe('sending');
  });

  it('is spent once when the acknowledgement of its confirmation is lost', async () => {
    const waiting = payout(1, { awaitsConfirmation: true });
    await door.start(waiting);
    store.faults.push('acknowledgement-lost');
    // Nobody knows that it was ours: its lease brings it on.
    expect(await door.confirmCovered(waiting.order, confirmation, 0n)).toMatchObject({ isFirst: false });
    expect(store.balance).toBe(1500n);
  });

  it('waits for a database that comes back', async () => {
    store.faults.push('not-written', 'not-written');
    expect(await door.startCovered(payout(1), 0n)).toMatchObject({ started: true });
    await door.drained();
  });
});
