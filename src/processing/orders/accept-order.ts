// Accepting an order: the endpoint's rules, the card into the vault, one durable write, and straight to the acquirer.

import { brandOf } from '../../domain/card/card.ts';
import { holdsCardNumber, holdsThisNumber } from '../../domain/card/numbers-in-text.ts';
import type { Clock } from '../../domain/clock.ts';
import { Refusal, refuse } from '../../domain/errors.ts';
import type { CallbackPolicy } from '../../domain/merchant/callback-url.ts';
import { endpointFaults, readinessFaults } from '../../domain/merchant/endpoint-rules.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { writeAmount } from '../../domain/money/money.ts';
import { MAX_TERMINALS } from '../../domain/order/cascade.ts';
import { isMerchantInitiated, type Order, transactionOf } from '../../domain/order/order.ts';
import { movesNoMoney, paysFromBalance } from '../../domain/order/transaction-types.ts';
import { isScheduledOrderId } from '../../domain/recurring/recurring.ts';
import type { Secret } from '../../domain/secret.ts';
import { needsAuthentication } from '../../domain/three-d-secure/authentication.ts';
import type { OrderRecord, StoredCard, Uncovered } from '../../storage/store.ts';
import type { NetworkLimits, StoredCardCharge } from '../cards/network-limits.ts';
import { bringsCard } from '../cards/payee.ts';
import type { OrderIds } from '../node/order-ids.ts';
import type { Caller } from '../requests/caller.ts';
import { earlierReply, judgeRepeat } from '../requests/repeats.ts';
import type { Screening } from '../screening/screening.ts';
import type { OrderBeginning, Routing } from '../terminals/routing.ts';
import type { Authentications } from '../three-d-secure/authentications.ts';
import { callbackFaults } from './callback-faults.ts';
import { type Materials, payerOf } from './instruction.ts';
import type { MaterialsStore } from './materials.ts';
import type { OrderParts } from './order-parts.ts';
import { codeIn, recordOf } from './order-record.ts';
import type { Accepted, OrderRequest, PayingCard } from './order-request.ts';
import { whatStandsInTheWay } from './start-outcome.ts';

export type AcceptParts = OrderParts & {
  readonly authentications: Authentications;
  /** Where callbacks of the endpoint's orders may go. */
  callbackPolicy(endpoint: Endpoint): CallbackPolicy;
  readonly clock: Clock;
  /** Hears of ids that may be card numbers: they are kept as they were sent. */
  idLooksLikeCard?(merchantId: number): void;
  readonly ids: OrderIds;
  readonly limits: NetworkLimits;
  readonly materials: MaterialsStore;
  readonly routing: Routing;
  readonly screening: Screening;
};

export async function acceptOrder(
  parts: AcceptParts,
  request: OrderRequest,
  caller: Caller,
): Promise<Accepted | Refusal> {
  const { endpoint } = caller;
  if (!endpoint) return refuse('currency-mismatch', { field: 'currency', hint: 'no end point takes it' });
  const refusal =
    endpointRefusal(endpoint, request) ??
    networksRefusal(parts.authentications, endpoint, request) ??
    cardRefusal(request.card) ??
    idRefusal(request) ??
    callbackRefusal(parts, endpoint, request);
  if (refusal) return refusal;
  if (holdsCardNumber(request.clientOrderId)) parts.idLooksLikeCard?.(caller.merchant.merchantId);
  if (parts.work.isFullFor(endpoint.merchantId)) return refuse('unavailable');

  if (parts.vault.isStale && !(await parts.vault.freshen())) return refuse('unavailable');
  if (codeIn(request) && parts.codes.isStale && !(await parts.codes.freshen())) return refuse('unavailable');
  const orderId = await parts.ids.next();
  const payeeCardId = bringsCard(request.payee) ? await parts.ids.next() : undefined;
  const routed = routedTo(parts.routing, endpoint, request, orderId);
  const beginning = routed instanceof Refusal ? undefined : routed;
  const asked = recordOf(parts, request, caller, { endpoint, orderId, payeeCardId, beginning });
  const earlier = await earlierReply(parts, caller, asked.fingerprint);
  if (earlier) return earlier;
  if (routed instanceof Refusal) return repeatOr(routed, parts, asked, caller);
  const rules = parts.configuration.screening(endpoint);
  const listed = rules ? await parts.screening.throughLists(asked, rules, request) : asked;
  const record = listed === asked ? parts.screening.throughCardTesting(asked, endpoint, request) : listed;
  const isFiltered = record !== asked;
  // On the hosted form the card is counted when it is entered.
  const isCounted = rules && !isFiltered && request.form === undefined;
  const limits = isCounted ? parts.screening.limitsOn(record, rules, request) : [];
  const within = Array.isArray(limits) ? limits : await limits;
  const conditions = { within, covers: spentAtOnce(record.order, endpoint) };
  const write = (furtherTerminals = MAX_TERMINALS) =>
    parts.door.start(withRouteUpTo(furtherTerminals, record), conditions);
  const { card } = request;
  const isOwnCharge = card && 'stored' in card && isMerchantInitiated(record.order) && !isFiltered;
  const outcome = isOwnCharge ? await parts.limits.within(chargeOf(record.order, card.stored), write) : await write();
  if (outcome instanceof Refusal) return repeatOr(outcome, parts, record, caller);
  if ('available' in outcome) return insufficientBalance(outcome, record.order);
  if (!outcome.started) return judgeRepeat(record, outcome.existing, caller.serialNumber);
  const { order } = outcome;
  const { stage } = transactionOf(order, 1);
  if (stage === 'sending' || stage === 'authenticating') {
    const materials = await materialsOf(parts.materials, request, endpoint, caller);
    if (stage === 'sending') parts.work.proceed(order, 1, materials, order.createdAt);
    else parts.authentications.begin(order, 1, materials);
  }
  return { order, serialNumber: caller.serialNumber };
}

/** On the hosted form the card decides, when it is entered; here it is only asked whether there can be a terminal. */
function routedTo(
  routing: Routing,
  endpoint: Endpoint,
  request: OrderRequest,
  orderId: number,
): OrderBeginning | Refusal | undefined {
  return request.form === undefined ? routing.begin(endpoint, request, orderId) : routing.unroutable(endpoint);
}

/** A repeat gets its answer even if its order would be refused by now. */
async function repeatOr(
  refusal: Refusal,
  { store }: AcceptParts,
  record: OrderRecord,
  { serialNumber }: Caller,
): Promise<Accepted | Refusal> {
  const existing = await whatStandsInTheWay(store, record);
  return existing.length > 0 ? judgeRepeat(record, existing, serialNumber) : refusal;
}

/** How far the balance may fall below zero, if it pays as soon as the order is accepted; undefined if it does not. */
function spentAtOnce(order: Order, { creditLimit }: Endpoint): bigint | undefined {
  const first = transactionOf(order, 1);
  return paysFromBalance(first) && first.stage === 'sending' ? creditLimit : undefined;
}

function chargeOf({ merchantId, currency, amount, alternatives, route }: Order, card: StoredCard): StoredCardCharge {
  const furtherTerminals = (route?.terminals.length ?? 1) - 1;
  return { merchantId, card, currency, amounts: [amount, ...alternatives], furtherTerminals };
}

/** Every further terminal may be one more attempt on the card, so its network decides how many there may be. */
function withRouteUpTo(furtherTerminals: number, record: OrderRecord): OrderRecord {
  const { route } = record.order;
  if (!route || route.terminals.length <= furtherTerminals + 1) return record;
  const terminals = route.terminals.slice(0, furtherTerminals + 1);
  return { ...record, order: { ...record.order, route: { ...route, terminals } } };
}

export function insufficientBalance({ available }: Uncovered, { currency }: Order): Refusal {
  const minor = available > 0n ? available : 0n;
  const hint = `${writeAmount({ minor, currency }, 'major')} ${currency}`;
  return refuse('insufficient-balance', { field: 'amount', hint });
}

/** A card that was stored to be paid to may have no expiry, and then cannot pay. */
function cardRefusal(card: PayingCard | undefined): Refusal | undefined {
  if (!card || 'typed' in card || card.stored.expireMonth !== undefined) return undefined;
  return refuse('card-not-accepted', { hint: 'it was stored to receive money, and its expiry is not known' });
}

/** Ids are kept and shown as they are: none may have the form of our own, and none may hold a card number. */
function idRefusal({ clientOrderId, scheduled, card, payee }: OrderRequest): Refusal | undefined {
  const reserved = scheduled ? undefined : reservedIdRefusal(clientOrderId);
  if (reserved) return reserved;
  const numbers: Secret<string>[] = [];
  for (const one of [card, payee]) if (one && 'typed' in one) numbers.push(one.typed.number);
  return cardInIdRefusal(clientOrderId, numbers);
}

export function reservedIdRefusal(clientOrderId: string): Refusal | undefined {
  if (!isScheduledOrderId(clientOrderId)) return undefined;
  return refuse('parameter-malformed', {
    field: 'client_orderid',
    hint: 'ids of this form are reserved for the service',
  });
}

export function cardInIdRefusal(clientOrderId: string, numbers: readonly Secret<string>[]): Refusal | undefined {
  if (!numbers.some((number) => holdsThisNumber(clientOrderId, number.reveal()))) return undefined;
  return refuse('parameter-malformed', { field: 'client_orderid', hint: 'it must not hold the card number' });
}

function callbackRefusal(
  { callbackPolicy }: AcceptParts,
  endpoint: Endpoint,
  { details }: OrderRequest,
): Refusal | undefined {
  const [first, ...more] = callbackFaults(callbackPolicy(endpoint), details);
  return first && new Refusal(first, ...more);
}

function endpointRefusal(endpoint: Endpoint, request: OrderRequest): Refusal | undefined {
  const { amount, alternatives = [] } = request;
  const faults = movesNoMoney(request.type) ? readinessFaults(endpoint, amount) : endpointFaults(endpoint, amount);
  const [first, ...more] = faults;
  if (first) return new Refusal(first, ...more);
  const [outside] = alternatives.flatMap((minor) => endpointFaults(endpoint, { ...amount, minor }));
  return outside && new Refusal({ ...outside, field: 'enumerate_amounts' });
}

/** An endpoint that asks for 3-D Secure takes no cards while the gateway has no directory server to ask about them. */
function networksRefusal(
  { parts: { networks } }: Authentications,
  endpoint: Endpoint,
  { operation, card, form }: OrderRequest,
): Refusal | undefined {
  const { endpointId } = endpoint;
  // On the hosted form the payer will type a card.
  const paying = card ?? (form && { typed: form });
  if (!needsAuthentication(endpoint, operation, paying)) return undefined;
  if (networks.isEmpty) return refuse('three-d-secure-not-set-up', { hint: String(endpointId) });
  const brand = card && 'typed' in card ? brandOf(card.typed.number.reveal()) : undefined;
  if (brand === undefined || networks.lineFor(brand)) return undefined;
  return refuse('three-d-secure-not-set-up', { hint: `${endpointId}, for cards of brand ${brand},` });
}

async function materialsOf(
  materials: MaterialsStore,
  { card, payee, details }: OrderRequest,
  { descriptor }: Endpoint,
  { merchant: { merchantId } }: Caller,
): Promise<Materials> {
  const { targetCard, account } = await materials.ofPayee(merchantId, payee);
  const paying =
    card && ('typed' in card ? card.typed : await materials.cardDetails(merchantId, card.stored, card.cvv));
  return { card: paying, targetCard, account, descriptor, payer: payerOf(details) };
}
