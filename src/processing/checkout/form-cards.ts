// Cards that are entered on the hosted form. The card, the change of the order and the counts of limits are written
// together, over the version they were decided on. So a double click, a second tab, the back button or another node
// finds that the first card was taken, and nobody is charged twice.

import type { CardDetails } from '../../acquirers/acquirer.ts';
import { addressBlock } from '../../domain/address/address-blocks.ts';
import type { Clock } from '../../domain/clock.ts';
import { Refusal, refuse } from '../../domain/errors.ts';
import type { Endpoint } from '../../domain/merchant/merchant.ts';
import { type Command, decide } from '../../domain/order/decide.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import { type Order, type OrderKey, purposeOf, transactionOf } from '../../domain/order/order.ts';
import { paysFromBalance } from '../../domain/order/transaction-types.ts';
import { needsAuthentication } from '../../domain/three-d-secure/authentication.ts';
import type { FormStore } from '../../storage/orders/forms.ts';
import type { GivenCard, OrderView } from '../../storage/store.ts';
import { cvvPlace, detailsPlace } from '../../vault/places.ts';
import { sealCard, type TypedCard } from '../cards/payee.ts';
import { detailsToStore } from '../cards/secret-details.ts';
import type { OrderIds } from '../node/order-ids.ts';
import type { OrderParts } from '../orders/order-parts.ts';
import type { Screening } from '../screening/screening.ts';
import type { Routing } from '../terminals/routing.ts';
import type { Authentications } from '../three-d-secure/authentications.ts';

/**
 * How many unsigned forms one address range may ask an endpoint for in a minute, and how many cards it may enter there.
 */
export const MAX_UNSIGNED_FORMS = 60;

/** What the payer entered. */
export type PayerInput = {
  /** The try it was entered for, as the form said. */
  readonly seq: number;
  readonly card: TypedCard & Pick<CardDetails, 'cvv'>;
  /** What else the form asked for, and what the browser said about itself. */
  readonly details: OrderDetails;
};

export type FormCardParts = OrderParts & {
  readonly clock: Clock;
  readonly forms: FormStore;
  readonly authentications: Authentications;
  readonly ids: OrderIds;
  readonly routing: Routing;
  readonly screening: Screening;
};

/** Takes the card if the form still waits for it; returns the order as it stands afterwards. */
export async function takeCard(parts: FormCardParts, key: OrderKey, input: PayerInput): Promise<Order | Refusal> {
  const { codes, configuration, door, ids, vault, work } = parts;
  const { merchantId, orderId } = key;
  const view = await parts.store.findOrderView({ merchantId, orderId, clientOrderId: undefined });
  if (!view) throw new Error(`There is no order ${orderId}`);
  const { order } = view;
  const endpoint = configuration.endpoint(order.endpointId);
  const isOpen = endpoint?.enabled && configuration.byId(merchantId)?.enabled;
  const authenticates = endpoint !== undefined && needsAuthentication(endpoint, order.operation, { typed: input.card });
  const known: Command = {
    type: 'card-given',
    seq: input.seq,
    filterReason: undefined,
    mustWait: false,
    needsAuthentication: authenticates,
  };
  // One moment counts for all steps: a form whose time ends while the card is written took it in time.
  const moment = door.moment;
  const events = decide(order, known, moment);
  if (!('length' in events) || events.length === 0) return order;
  if (!endpoint || !isOpen) return refuse('endpoint-disabled', { hint: String(order.endpointId) });
  const beginning = routedCard(parts.routing, view, input, endpoint);
  if (beginning instanceof Refusal) return beginning;
  if (work.isFullFor(order.merchantId) || (await isTriedTooOften(parts, order, input))) return refuse('unavailable');

  const command: Command = { ...known, ...beginning };
  const at = moment.now;
  if (vault.isStale && !(await vault.freshen())) return refuse('unavailable');
  if (input.card.cvv && codes.isStale && !(await codes.freshen())) return refuse('unavailable');
  const card = { ...givenCard(parts, view, input, await ids.next()), at };
  const { filterReason, within } = await screenedCard(parts, order, input, { endpoint, card });
  const covers = paysFromBalance(purposeOf(order)) ? endpoint.creditLimit : undefined;
  const conditions = { known: order, card, within, covers };
  const outcome = await door.change(order, { ...command, filterReason }, conditions);
  // A payout that the balance does not cover waits until the merchant confirms it.
  const taken = 'available' in outcome ? await door.change(order, { ...command, mustWait: true }, conditions) : outcome;
  if ('available' in taken) throw new Error(`Order ${orderId} spent from the balance although it waits`);
  if (taken.moved) goOn(parts, taken.order, input, endpoint);
  return taken.order;
}

/** Anybody can ask for an unsigned form, so cards are counted there by the address range they are entered from. */
async function isTriedTooOften(
  { clock, forms }: FormCardParts,
  order: Order,
  { details }: PayerInput,
): Promise<boolean> {
  if (!order.unsigned) return false;
  const block = addressBlock(details.payerAddress ?? '');
  return (await forms.countRequest(order.endpointId, `cards ${block}`, clock.now())) > MAX_UNSIGNED_FORMS;
}

/** As the card that pays, or as the one that is paid. */
function typedFor(order: Order, { card }: PayerInput) {
  return isPayout(order) ? { payee: { typed: card } } : { card: { typed: payingCardOf(card) } };
}

// The form leaves the expiry out of a card that is paid only.
const payingCardOf = (card: PayerInput['card']) => card as CardDetails;

function routedCard(routing: Routing, { order, details }: OrderView, input: PayerInput, endpoint: Endpoint) {
  const { type, amount: minor } = purposeOf(order);
  const { orderId, operation, currency, alternatives } = order;
  const card = typedFor(order, input);
  const asked = { operation, type, amount: { minor, currency }, alternatives, ...card };
  return routing.begin(endpoint, { ...asked, details: { ...details, ...input.details } }, orderId);
}

function givenCard(
  { codes, vault, instance }: FormCardParts,
  { order, details }: OrderView,
  input: PayerInput,
  cardId: number,
): GivenCard {
  const { merchantId } = order;
  const { card, seq } = input;
  return {
    seq,
    card: sealCard(vault, card, { merchantId, cardId }),
    role: isPayout(order) ? 'receives' : 'pays',
    sealedCvv: card.cvv && codes.seal(card.cvv, cvvPlace(order)),
    ...detailsToStore(
      vault,
      { ...details, ...input.details },
      { card: undefined, payee: { typed: card }, place: detailsPlace(order) },
    ),
    leaseOwner: instance,
  };
}

/** Why a block list or card testing stops the card, or the limits it is counted by. */
async function screenedCard(
  { configuration, screening }: FormCardParts,
  order: Order,
  input: PayerInput,
  { endpoint, card }: { endpoint: Endpoint; card: GivenCard },
) {
  const rules = configuration.screening(endpoint);
  const screened = { operation: order.operation, details: card.details, ...typedFor(order, input) };
  const record = { order, cards: [card.card] };
  const listed = rules && (await screening.listedReason(order.merchantId, rules, screened));
  const filterReason = listed ?? screening.testedReason(record, endpoint, screened);
  const within = filterReason || !rules ? [] : screening.limitsOn(record, rules, screened);
  return { filterReason, within: Array.isArray(within) ? within : await within };
}

function goOn(
  { authentications, work }: FormCardParts,
  order: Order,
  { seq, card }: PayerInput,
  { descriptor }: Endpoint,
): void {
  const paid = isPayout(order) ? { targetCard: card } : { card: payingCardOf(card) };
  const materials = { ...paid, descriptor };
  const { stage } = transactionOf(order, seq);
  if (stage === 'sending') work.proceed(order, seq, materials);
  if (stage === 'authenticating') authentications.begin(order, seq, materials);
}

function isPayout(order: Order): boolean {
  return purposeOf(order).type === 'payout';
}
