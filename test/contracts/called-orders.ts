// Orders that ask for callbacks, for tests that work on the stores themselves.

import { randomBytes, randomUUID } from 'node:crypto';
import { Refusal } from '../../src/domain/errors.ts';
import { entriesOf } from '../../src/domain/money/ledger.ts';
import { callbackPlan } from '../../src/domain/order/callbacks.ts';
import { type Command, decide, evolve, startOrder } from '../../src/domain/order/decide.ts';
import type { OrderDetails } from '../../src/domain/order/details.ts';
import type { Order } from '../../src/domain/order/order.ts';
import type { OrderChange, OrderRecord } from '../../src/storage/store.ts';

const LEASE_MS = 45_000;
const HOLD_MS = 7 * 24 * 60 * 60 * 1000;

export const APPROVED: Command = {
  type: 'sent',
  seq: 1,
  leg: 1,
  answer: { word: 'approved', approvalCode: 'AB12CD', rrn: '123456789012', processorTxId: 'PN-1' },
};

let lastOrderId = 5_000_000;

/** A new sale of merchant 1 on endpoint 101. */
export function calledOrder(details: OrderDetails, now: number, clientOrderId: string = randomUUID()): OrderRecord {
  const order = startOrder(
    {
      merchantId: 1,
      orderId: ++lastOrderId,
      endpointId: 101,
      clientOrderId,
      operation: 'sale',
      type: 'sale',
      currency: 'USD',
      notation: 'minor',
      amount: 1042n,
      callbacks: callbackPlan(details),
      requestSerial: randomUUID(),
    },
    { now, leaseMs: LEASE_MS, holdMs: HOLD_MS },
  );
  return {
    order,
    details,
    receiptId: randomUUID(),
    fingerprint: randomBytes(32),
    control: undefined,
    idempotencyKey: undefined,
    leaseOwner: randomUUID(),
    cardId: undefined,
    targetCardId: undefined,
    sealedTarget: undefined,
    cards: [],
    sealedCvv: undefined,
    attemptedCard: undefined,
  };
}

export function changed(before: Order, command: Command, now: number): OrderChange {
  let after = before;
  const events = decide(before, command, { now, leaseMs: LEASE_MS, holdMs: HOLD_MS });
  if (events instanceof Refusal) throw new Error(events.faults[0].message);
  const entries = events.flatMap((event) => {
    after = evolve(after, event);
    return entriesOf(after, event);
  });
  return { before, after, events, entries, begins: new Map() };
}
