// What a merchant gets for a stored card: its reference, and never its number.

import type { MadeReference } from '../processing/cards/stored-cards.ts';
import type { StoredCard } from '../storage/store.ts';
import { orderIds } from './acknowledgement.ts';
import { type Reply, reply, response } from './response.ts';

export const cardRefResponse = response('CardRefAsyncResponse', 'create-card-ref-response', {
  status: '`approved` when the card is stored.',
  'card-ref-id': 'The stored card, for rebills.',
  ...orderIds,
});

export function cardReferenceReply({ referenceId, view }: MadeReference): Reply<typeof cardRefResponse> {
  return reply(cardRefResponse, {
    status: 'approved',
    'card-ref-id': String(referenceId),
    'merchant-order-id': view.order.clientOrderId,
    'paynet-order-id': String(view.order.orderId),
  });
}

/** An id that is the same for every order with this card number, and differs between merchants. */
export function uniqueCardId({ fingerprint }: StoredCard): string {
  return String(fingerprint.readUIntBE(0, 6));
}
