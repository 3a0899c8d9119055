// A recurring payment of merchant 1 on endpoint 101, for tests that work on the stores themselves.

import { randomBytes, randomUUID } from 'node:crypto';
import type { NewRecurringPayment } from '../../src/storage/recurring.ts';
import { storedCard } from './stored-card.ts';

/** A daily charge of 10 USD. */
export function newRecurringPayment(
  recurringPaymentId: number,
  at: number,
  clientOrderId: string = randomUUID(),
): NewRecurringPayment {
  return {
    merchantId: 1,
    recurringPaymentId,
    endpointId: 101,
    clientOrderId,
    direction: 'from-card',
    currency: 'USD',
    amounts: { kind: 'fixed', minor: 1000n },
    schedule: { unit: 'day', interval: 1, anchorAt: at },
    endsAt: undefined,
    state: 'active',
    note: undefined,
    progress: { occurrence: 0, failures: 0 },
    nextRunAt: at,
    version: 1,
    createdAt: at,
    changedAt: at,
    details: {},
    sealedDetails: undefined,
    card: storedCard(recurringPaymentId),
    fingerprint: randomBytes(32),
  };
}
