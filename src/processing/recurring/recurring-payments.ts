// What a merchant asks of recurring payments: to make one, and to charge it now. Charging one takes money from its card
// or sends money to it, as an order like any other.

import type { Clock } from '../../domain/clock.ts';
import { fault, Refusal, refuse } from '../../domain/errors.ts';
import { endpointFaults } from '../../domain/merchant/endpoint-rules.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { decimalsFault, readAmount } from '../../domain/money/money.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import {
  type Amounts,
  amountOfCharge,
  type Direction,
  figuresOf,
  type IntervalUnit,
  occurrenceAt,
  type RecurringPayment,
  whyNotCharged,
} from '../../domain/recurring/recurring.ts';
import type { RecurringProfile, RecurringStore } from '../../storage/recurring.ts';
import type { StoredCard } from '../../storage/store.ts';
import { recurringDetailsPlace } from '../../vault/places.ts';
import { isSameFingerprint, type Vault } from '../../vault/vault.ts';
import { sealCard, type TypedCard } from '../cards/payee.ts';
import { detailsToStore } from '../cards/secret-details.ts';
import { findStoredCard, type StoredCardsParts } from '../cards/stored-cards.ts';
import type { OrderIds } from '../node/order-ids.ts';
import { type AcceptParts, acceptOrder, cardInIdRefusal, reservedIdRefusal } from '../orders/accept-order.ts';
import type { Accepted, OrderRequest } from '../orders/order-request.ts';
import type { Caller } from '../requests/caller.ts';

const DAY = 24 * 60 * 60 * 1000;

/** How long starting one charge may take before another may be started in its place. */
export const STARTING_MS = 60_000;

export type RecurringRequest = {
  readonly clientOrderId: string;
  readonly direction: Direction;
  readonly card: TypedCard;
  readonly currency: string;
  readonly amounts: Amounts;
  readonly rhythm: { readonly unit: IntervalUnit; readonly interval: number } | undefined;
  /** Days, YYYYMMDD. */
  readonly startDate: string | undefined;
  readonly finishDate: string | undefined;
  readonly details: OrderDetails;
};

export type RecurringParts = {
  readonly clock: Clock;
  readonly ids: OrderIds;
  readonly recurring: RecurringStore;
  readonly vault: Vault;
};

export async function makeRecurringPayment(
  parts: RecurringParts,
  request: RecurringRequest,
  caller: Caller,
): Promise<number | Refusal> {
  const { endpoint, merchant } = caller;
  if (!endpoint) return refuse('currency-mismatch', { field: 'currency', hint: 'no end point takes it' });
  const refusal =
    amountsRefusal(endpoint, request) ??
    reservedIdRefusal(request.clientOrderId) ??
    cardInIdRefusal(request.clientOrderId, [request.card.number]);
  if (refusal) return refusal;
  if (parts.vault.isStale && !(await parts.vault.freshen())) return refuse('unavailable');
  const draft = newPayment(parts.clock.now(), request, { merchantId: merchant.merchantId, endpoint });
  if (draft instanceof Refusal) return draft;
  const payment = { ...draft, recurringPaymentId: await parts.ids.next() };

  const { merchantId, recurringPaymentId, clientOrderId } = payment;
  const fingerprint = parts.vault.fingerprint(caller.said);
  const card = sealCard(parts.vault, request.card, { merchantId, cardId: recurringPaymentId });
  const details = detailsToStore(parts.vault, request.details, {
    ...{ card: undefined, payee: { typed: request.card } },
    place: recurringDetailsPlace(payment),
  });
  if (await parts.recurring.create({ ...payment, card, ...details, fingerprint })) return recurringPaymentId;
  const earlier = await parts.recurring.findByClientOrderId(merchantId, clientOrderId);
  return earlier && isSameFingerprint(earlier.fingerprint, fingerprint)
    ? earlier.recurringPaymentId
    : refuse('client-order-id-used', { field: 'client_orderid' });
}

/** The recurring payment that the same request made earlier, even if it would be refused now. */
export async function earlierRecurringPayment(
  { recurring, vault }: RecurringParts,
  clientOrderId: string,
  { merchant, said }: Caller,
): Promise<number | undefined> {
  const earlier = await recurring.findByClientOrderId(merchant.merchantId, clientOrderId);
  const isSame = earlier && isSameFingerprint(earlier.fingerprint, vault.fingerprint(said));
  return isSame ? earlier.recurringPaymentId : undefined;
}

function amountsRefusal(endpoint: Endpoint, request: RecurringRequest): Refusal | undefined {
  const { amounts, currency } = request;
  const minors = amounts.kind === 'open' ? [endpoint.minimum ?? 1n] : figuresOf(amounts);
  const [first] = minors.flatMap((minor) => endpointFaults(endpoint, { minor, currency }));
  return first && new Refusal(first);
}

/** Without a start date the first charge is one interval away: nothing is charged by the creation itself. */
function newPayment(
  now: number,
  request: RecurringRequest,
  { merchantId, endpoint }: { merchantId: number; endpoint: Endpoint },
): Omit<RecurringPayment, 'recurringPaymentId'> | Refusal {
  const { clientOrderId, direction, currency, amounts, rhythm, startDate, finishDate } = request;
  const today = now - (now % DAY);
  const anchorAt = (startDate === undefined ? today : dayOf(startDate)) + (now % DAY);
  const endsAt = finishDate === undefined ? undefined : dayOf(finishDate) + DAY;
  const schedule = rhythm && { ...rhythm, anchorAt };
  const occurrence = startDate === undefined ? 1 : 0;
  const nextRunAt = schedule && occurrenceAt(schedule, occurrence);
  if (endsAt !== undefined && Math.max(nextRunAt ?? now, now) >= endsAt) {
    const hint = 'it must not be before the first payment';
    return new Refusal(fault('parameter-contradicts', { field: 'finish_date', hint }));
  }
  return {
    merchantId,
    endpointId: endpoint.endpointId,
    clientOrderId,
    direction,
    currency,
    amounts,
    schedule,
    endsAt,
    state: 'active',
    note: undefined,
    progress: { occurrence, failures: 0 },
    nextRunAt,
    version: 1,
    createdAt: now,
    changedAt: now,
  };
}

function dayOf(text: string): number {
  return Date.UTC(Number(text.slice(0, 4)), Number(text.slice(4, 6)) - 1, Number(text.slice(6)));
}

// Charging now ──────────────────────────────────────────────────────────────────────────────────────────────────────

export type ChargeRequest = {
  readonly clientOrderId: string;
  readonly recurringPaymentId: string;
  /** In major units of the recurring payment's currency. */
  readonly amount: string | undefined;
  readonly details: OrderDetails;
};

export type ChargeParts = AcceptParts & RecurringParts & StoredCardsParts;

export async function chargeRecurringPayment(
  parts: ChargeParts,
  request: ChargeRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const profile = await findProfile(parts, request.recurringPaymentId, caller);
  const card = profile?.card;
  if (!profile || !card) return refuse('recurring-payment-not-found', { field: 'recurring-payment-id' });
  const notNow = whyNotCharged(profile, parts.clock.now());
  if (notNow) return notNow;
  const { currency } = profile;
  const asked = request.amount === undefined ? undefined : readAmount(request.amount, currency, 'major');
  if (asked === undefined && request.amount !== undefined) {
    const hint = decimalsFault(request.amount, currency) ?? 'it is too large';
    return refuse('parameter-malformed', { field: 'amount', hint });
  }
  const start = async (approved: number) => {
    const minor = amountOfCharge(profile, asked, approved);
    if (minor instanceof Refusal) return minor;
    const details = { ...profile.details, ...told(request.details) };
    const order = { clientOrderId: request.clientOrderId, amount: { minor, currency }, details };
    return acceptOrder(parts, { ...order, ...orderOf(profile.direction, card) }, caller);
  };
  return profile.amounts.kind === 'sequence' ? inTurn(parts, profile, start) : start(0);
}

/** The next amount of a sequence is known only when the charge before has ended, so charges start one by one. */
async function inTurn(
  { clock, recurring }: RecurringParts,
  profile: RecurringProfile,
  start: (approved: number) => Promise<Accepted | Refusal>,
): Promise<Accepted | Refusal> {
  const wait = (hint: string) => refuse('recurring-payment-refused', { field: 'recurring-payment-id', hint });
  const now = clock.now();
  const leaseUntil = now + STARTING_MS;
  if (!(await recurring.claim(profile, { now, leaseUntil }))) {
    return wait('another payment of it is being started; try again in a moment');
  }
  try {
    const { approved, isOpen } = await recurring.charges(profile);
    return isOpen ? wait('its previous payment is not final yet') : await start(approved);
  } finally {
    await recurring.release(profile, leaseUntil);
  }
}

/** The kind of order and the card that it charges or pays. */
export function orderOf(
  direction: Direction,
  stored: StoredCard,
): Pick<OrderRequest, 'operation' | 'type' | 'card' | 'payee'> {
  return direction === 'from-card'
    ? { operation: 'recurring', type: 'sale', card: { stored, cvv: undefined } }
    : { operation: 'recurring', type: 'payout', payee: { stored } };
}

/** A card stored by create-card-ref may be charged too: it is a recurring payment that leaves everything open. */
async function findProfile(
  parts: ChargeParts,
  id: string,
  { merchant, endpoint }: Caller,
): Promise<RecurringProfile | undefined> {
  const { merchantId } = merchant;
  const card = await findStoredCard(parts, merchantId, id);
  if (!card) return undefined;
  const recurringPaymentId = Number(id);
  const profile = await parts.recurring.find({ merchantId, recurringPaymentId });
  if (profile || !endpoint) return profile;
  const now = parts.clock.now();
  return {
    merchantId,
    recurringPaymentId,
    endpointId: endpoint.endpointId,
    clientOrderId: '',
    direction: 'from-card',
    currency: endpoint.currency,
    amounts: { kind: 'open' },
    schedule: undefined,
    endsAt: undefined,
    state: 'active',
    note: undefined,
    progress: { occurrence: 0, failures: 0 },
    nextRunAt: undefined,
    version: 0,
    createdAt: now,
    changedAt: now,
    details: {},
    card,
  };
}

function told(details: OrderDetails): OrderDetails {
  return Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));
}
