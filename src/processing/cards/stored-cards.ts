// Stored cards by the merchant's references: made from an approved order, shown without number, used by rebills.

import type { Clock } from '../../domain/clock.ts';
import { type Refusal, refuse } from '../../domain/errors.ts';
import { purposeOf } from '../../domain/order/order.ts';
import { stages } from '../../domain/order/stages.ts';
import type { CardReferenceStore, OrderStore, OrderView, StoredCard } from '../../storage/store.ts';
import type { LiveConfiguration } from '../node/live-configuration.ts';
import type { OrderIds } from '../node/order-ids.ts';
import type { Caller } from '../requests/caller.ts';
import { strictRefusal } from '../requests/strict-orders.ts';

export type MadeReference = { readonly referenceId: number; readonly card: StoredCard; readonly view: OrderView };

export type StoredCardsParts = {
  readonly cardReferences: CardReferenceStore;
  readonly clock: Clock;
  readonly ids: OrderIds;
  readonly store: OrderStore;
};

/** The reference of the card an order was paid with. Asking again gives the same one. */
export async function createCardReference(
  parts: StoredCardsParts & { readonly configuration: LiveConfiguration },
  query: { clientOrderId: string; orderId: number },
  caller: Caller,
): Promise<MadeReference | Refusal> {
  const view = await parts.store.findOrderView({ ...query, merchantId: caller.merchant.merchantId });
  if (!view) return refuse('order-not-found', { field: 'orderid' });
  const notStrict = strictRefusal(parts.configuration, view.order, caller);
  if (notStrict) return notStrict;
  const referenceId = await referenceOf(parts, view);
  if (referenceId === undefined || !view.card) return refuse('order-has-no-card', { field: 'orderid' });
  return { referenceId, card: view.card, view };
}

/** Undefined unless what the order is for was approved and a card paid for it. */
export async function referenceOf(parts: StoredCardsParts, view: OrderView): Promise<number | undefined> {
  const { merchantId } = view.order;
  const { type, stage } = purposeOf(view.order);
  // A question about a card is no payment with it.
  if (!view.card || type === 'pan-eligibility' || stages[stage].status !== 'approved') return undefined;
  const at = parts.clock.now();
  const { cardId } = view.card;
  const earlier = await parts.cardReferences.ofCard(merchantId, cardId);
  return earlier ?? parts.cardReferences.ensure({ merchantId, referenceId: await parts.ids.next(), cardId, at });
}

/** References are numbers; anything else a merchant sends finds no card. */
export async function findStoredCard(
  { cardReferences }: Pick<StoredCardsParts, 'cardReferences'>,
  merchantId: number,
  reference: string,
): Promise<StoredCard | undefined> {
  if (!/^[1-9]\d{0,15}$/.test(reference)) return undefined;
  return cardReferences.find(merchantId, Number(reference));
}
