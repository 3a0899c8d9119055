import { expect, it } from 'vitest';
import { evolve, type OrderEvent, startOrder } from '../../domain/order/decide.ts';
import type { Order } from '../../domain/order/order.ts';
import type { RecurringPayment } from '../../domain/recurring/recurring.ts';
import type { RecurringProfile } from '../../storage/recurring.ts';
import type { Log } from '../../telemetry/log.ts';
import { RecurringWork, type RecurringWorkParts } from './recurring.ts';

const DAY = 24 * 60 * 60 * 1000;
const NOW = Date.UTC(2027, 0, 31);

const profile = {
  merchantId: 1,
  recurringPaymentId: 700_000_000_000,
  endpointId: 101,
  currency: 'USD',
  amounts: { kind: 'sequence', minors: [1000n] },
  schedule: { unit: 'day', interval: 1, anchorAt: NOW - 2 * DAY },
  endsAt: undefined,
  state: 'active',
  progress: { occurrence: 0, failures: 0 },
  version: 2,
  card: {},
} as unknown as RecurringProfile;

const open = startOrder(
  {
    merchantId: 1,
    orderId: 77,
    endpointId: 101,
    clientOrderId: 'rp-700000000000-0',
    operation: 'recurring',
    type: 'sale',
    currency: 'USD',
    notation: 'major',
    amount: 1000n,
    requestSerial: 'first',
  },
  { now: NOW - 2 * DAY, leaseMs: 45_000, holdMs: 0 },
);

const approved: Order = evolve(open, {
  type: 'transaction-moved',
  seq: 1,
  from: 'sending',
  to: 'approved',
  fromLeg: 1,
  leg: 1,
  finding: 'approved',
  at: NOW,
  dueAt: undefined,
  attempts: 0,
  sends: 1,
  answer: undefined,
  reason: undefined,
  filterReason: undefined,
} satisfies OrderEvent);

it('charges no amount of a sequence twice that is approved while it looks', async () => {
  const saved: RecurringPayment[] = [];
  let reads = 0;
  // After a downtime the next day is due already, and the order is approved between the first look and the second.
  const order = () => (reads++ === 0 ? open : approved);
  const counted = (one: Order) => ({ approved: one === approved ? 1 : 0, isOpen: one === open });
  const parts = {
    clock: { now: () => NOW },
    configuration: { byId: () => undefined, endpoint: () => undefined },
    store: { findExisting: async () => [{ order: order() }] },
    recurring: {
      claimDue: async () => [profile],
      charges: async () => counted(order()),
      advance: async (payment: RecurringPayment) => saved.push(payment) > 0,
      save: async (payment: RecurringPayment) => saved.push(payment) > 0,
    },
  } as unknown as RecurringWorkParts;
  const log = { warn: () => {}, error: () => {} } as unknown as Log;
  const { due } = new RecurringWork(parts, log);
  await due.look();
  await due.drained();
  expect(saved).toMatchObject([{ state: 'active', progress: { occurrence: 0, failures: 0 } }]);
  await due.look();
  await due.drained();
  expect(saved.at(-1)).toMatchObject({ state: 'finished' });
});
