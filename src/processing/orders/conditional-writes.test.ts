import { beforeEach, describe, expect, it } from 'vitest';
import { MemoryOrderStore } from '../../../test/simulation/memory-order-store.ts';
import type { Clock } from '../../domain/clock.ts';
import { type NewOrder, startOrder } from '../../domain/order/decide.ts';
import type { CountedLimit } from '../../domain/screening/screening.ts';
import { ConnectionLost } from '../../storage/database.ts';
import type { ConditionalOutcome, ConditionalWrite, GivenCard, OrderRecord, PlacedLimit } from '../../storage/store.ts';
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
    const outcomes = await Promise.all([1, 2, 3].map((id) => door.start(payout(id), { covers: 0n })));
    expect(outcomes).toMatchObject([{ started: true }, { started: true }, { available: 500n }]);
    expect(await door.start(payout(4), { covers: 500n })).toMatchObject({ started: true });
    expect(store.balance).toBe(-500n);
  });

  it('is spent once when the acknowledgement of the commit is lost', async () => {
    store.faults.push('acknowledgement-lost');
    expect(await door.start(payout(1), { covers: 0n })).toMatchObject({ started: true });
    expect(store.balance).toBe(1500n);
  });

  it('meets an earlier order of the same name', async () => {
    await door.start(payout(1), { covers: 0n });
    const outcome = await door.start(payout(2, { clientOrderId: 'out-1' }), { covers: 0n });
    expect(outcome).toMatchObject({ started: false, existing: [{ order: { orderId: 1 } }] });
    expect(store.balance).toBe(1500n);
  });

  it('is spent at its confirmation, by the first one only', async () => {
    const waiting = payout(1, { awaitsConfirmation: true });
    await door.start(waiting);
    expect(store.balance).toBe(2500n);
    const outcomes = await Promise.all(
      [1, 2, 3].map(() => door.change(waiting.order, { type: 'confirm' }, { confirmation, covers: 0n })),
    );
    expect(outcomes.map((one) => 'moved' in one && one.moved)).toEqual([true, false, false]);
    expect(store.balance).toBe(1500n);
    expect(store.orders.get(1)?.transactions[0]?.stage).toBe('sending');
  });

  it('is spent once when the acknowledgement of its confirmation is lost', async () => {
    const waiting = payout(1, { awaitsConfirmation: true });
    await door.start(waiting);
    store.faults.push('acknowledgement-lost');
    // Nobody knows that it was ours: its lease brings it on.
    expect(await door.change(waiting.order, { type: 'confirm' }, { confirmation, covers: 0n })).toMatchObject({
      moved: false,
    });
    expect(store.balance).toBe(1500n);
  });

  it('keeps the request that confirmed it, also where nothing but that is a condition', async () => {
    const waiting = payout(1, { awaitsConfirmation: true });
    await door.start(waiting);
    await door.change(waiting.order, { type: 'confirm' }, { confirmation });
    expect(await store.findConfirmation(waiting.order)).toBe('confirmed');
  });

  it('answers the order that took its idempotency key when the database refuses it', async () => {
    await door.start({ ...payout(1), idempotencyKey: 'k' }, { covers: 0n });
    store.commitAlone = async () => {
      throw new Error('duplicate key');
    };
    const outcome = door.start({ ...payout(2), idempotencyKey: 'k' }, { covers: 0n });
    expect(await outcome).toMatchObject({ started: false, existing: [{ order: { orderId: 1 } }] });
    await expect(door.start(payout(3), { covers: 0n })).rejects.toThrow('duplicate key');
  });

  it('is not written when the key of its sealed values may be gone', async () => {
    const late = new Door({ store, clock, leaseMs: 45_000, holdMs: 1, lanes: 1, sealedForMs: 15_000 });
    const { order, ...rest } = payout(1);
    const made = (ageMs: number) => ({ ...rest, order: { ...order, createdAt: moment.now - ageMs } });
    await expect(late.start(made(15_000), { covers: 0n })).rejects.toMatchObject({ name: 'KeysTooOld' });
    expect(await late.start(made(14_999), { covers: 0n })).toMatchObject({ started: true });
  });

  it('is written before the door is shut', async () => {
    let isWritten = false;
    const started = door.start(payout(1), { covers: 0n }).then(() => {
      isWritten = true;
    });
    await door.drained();
    expect(isWritten || store.orders.size === 1).toBe(true);
    await started;
  });

  it('waits for a database that comes back', async () => {
    store.faults.push('not-written', 'not-written');
    expect(await door.start(payout(1), { covers: 0n })).toMatchObject({ started: true });
    await door.drained();
  });
});

const once: PlacedLimit = {
  limit: { kind: 'card', windowMs: 60_000, maxCount: 1, maxSum: undefined },
  digest: Buffer.alloc(32),
};

const sealedCvv = Buffer.from('sealed');

const sale = (orderId: number, changes: Partial<NewOrder> = {}): OrderRecord => ({
  ...payout(orderId, { operation: 'sale', type: 'sale', ...changes }),
  sealedCvv,
});

const stageOf = (outcome: unknown) =>
  (outcome as { order?: OrderRecord['order'] }).order?.transactions[0]?.stage ?? 'not started';

describe('an order that limits may stop', () => {
  /** What each commit in turn counts, or the error it meets. */
  let commits: { readonly counts: number; readonly lost?: 'before' | 'after' }[];

  const start = (record: OrderRecord) => door.start(record, { within: [once] });

  beforeEach(() => {
    const commitAlone = store.commitAlone;
    store.commitAlone = async (write: ConditionalWrite): Promise<ConditionalOutcome> => {
      const { counts, lost } = commits.shift() as (typeof commits)[number];
      if (lost === 'before') throw new ConnectionLost('before the commit');
      const counted: CountedLimit[] = [{ limit: once.limit, tally: { count: counts, sum: 0n } }];
      const outcome = await commitAlone({ ...write, decide: () => write.decide(counted) });
      if (lost === 'after') throw new ConnectionLost('after the commit');
      return outcome;
    };
  });

  it('goes on when they do not', async () => {
    commits = [{ counts: 0 }];
    expect(stageOf(await start(sale(1)))).toBe('sending');
  });

  it('is written as filtered when they do, without the security code', async () => {
    commits = [{ counts: 1 }];
    expect(stageOf(await start(sale(1)))).toBe('filtered');
    expect(store.records.get(1)).toMatchObject({ sealedCvv: undefined });
    expect(store.orders.get(1)?.transactions).toMatchObject([{ filterReason: 'card-over-limit', dueAt: undefined }]);
  });

  it('is what was written, also when the acknowledgement was lost and the count has changed since', async () => {
    commits = [{ counts: 0, lost: 'after' }, { counts: 1 }];
    expect(stageOf(await start(sale(1)))).toBe('sending');
    commits = [{ counts: 1, lost: 'after' }, { counts: 0 }];
    expect(stageOf(await start(sale(2)))).toBe('filtered');
    commits = [{ counts: 0, lost: 'before' }, { counts: 0 }];
    expect(stageOf(await start(sale(3)))).toBe('sending');
  });

  it('answers what stands in its way', async () => {
    commits = [{ counts: 0 }, { counts: 1 }];
    await start(sale(1, { clientOrderId: 'inv' }));
    const repeat = await start(sale(2, { clientOrderId: 'inv' }));
    expect(repeat).toMatchObject({ started: false, existing: [{ order: { orderId: 1 } }] });
  });
});

describe('a card that is entered on a form', () => {
  const command = {
    type: 'card-given',
    seq: 1,
    filterReason: undefined,
    mustWait: false,
    needsAuthentication: false,
  } as const;

  const entered = (cardId: number, at = moment.now): GivenCard & { at: number } => ({
    seq: 1,
    card: {
      ...{
        cardId,
        sealed: { bytes: sealedCvv, dataKeyId: 1 },
        fingerprint: Buffer.from('card'),
        bin: '411111',
        lastFour: '1111',
      },
      issuerDigits: undefined,
      ...{ brand: 'VISA', expireMonth: 1, expireYear: 2030, holder: undefined },
    },
    role: 'pays',
    sealedCvv,
    details: {},
    leaseOwner: 'me',
    at,
  });

  const form = { ...sale(1, { form: 'pays' }), sealedCvv: undefined };
  const { order } = form;

  beforeEach(() => door.start(form));

  it('is taken once, however often it is sent and whatever is remembered of the order', async () => {
    const sent = [11, 12, 13].map((id) => door.change(order, command, { known: order, card: entered(id) }));
    expect((await Promise.all(sent)).map((one) => 'moved' in one && one.moved)).toEqual([true, false, false]);
    expect(store.orders.get(1)?.transactions).toMatchObject([{ stage: 'sending' }]);
    expect(store.records.get(1)?.cardId).toBe(11);
  });

  it('is taken once when the acknowledgement of the commit is lost', async () => {
    store.faults.push('acknowledgement-lost');
    const heard = await door.change(order, command, { known: order, card: entered(11) });
    expect(heard).toMatchObject({ moved: false, order: { version: 2 } });
  });

  it('is stopped by a limit like any order, and leaves no security code', async () => {
    await door.start(sale(2), { within: [once] });
    const heard = await door.change(order, command, { card: entered(11), within: [once] });
    expect(stageOf(heard)).toBe('filtered');
    expect(await store.loadCards({ ...order, seq: 1 })).toMatchObject({ card: { cardId: 11 }, sealedCvv: undefined });
  });

  it('and a new order are stopped by a limit of money with their own amount', async () => {
    const money = { ...once, limit: { kind: 'card', windowMs: 60_000, maxCount: undefined, maxSum: 1999n } } as const;
    expect(stageOf(await door.start(sale(2), { within: [money] }))).toBe('sending');
    expect(stageOf(await door.start(sale(3), { within: [money] }))).toBe('filtered');
    expect(stageOf(await door.change(order, command, { card: entered(11), within: [money] }))).toBe('filtered');
  });

  it('counts for the next order', async () => {
    await door.change(order, command, { card: entered(11), within: [once] });
    expect(stageOf(await door.start(sale(2), { within: [once] }))).toBe('filtered');
  });

  it('is taken as of when it was entered, and never when its key may be gone', async () => {
    const late = new Door({ store, clock, leaseMs: 45_000, holdMs: 1, lanes: 1, sealedForMs: 15_000 });
    const tooLate = late.change(order, command, { card: entered(11, moment.now - 15_000) });
    await expect(tooLate).rejects.toMatchObject({ name: 'KeysTooOld' });
    const at = moment.now - 14_999;
    const heard = await late.change(order, command, { card: entered(12, at) });
    expect(heard).toMatchObject({ moved: true, order: { transactions: [{ changedAt: at, dueAt: at + 45_000 }] } });
  });

  it('changes nothing of what the balance does not cover', async () => {
    const paid = payout(3, { form: 'pays', amount: 2501n });
    await door.start(paid);
    const given = { ...entered(11), role: 'receives' } as const;
    expect(await door.change(paid.order, command, { card: given, covers: 0n })).toEqual({ available: 2500n });
    expect(store.orders.get(3)).toEqual(paid.order);
    const kept = await door.change(paid.order, { ...command, mustWait: true }, { card: given, covers: 0n });
    expect(stageOf(kept)).toBe('waiting');
  });
});
