// Who is paid: a card typed now, a card stored earlier, or a bank account. A card is stored and may be used again
// later; an account is sealed whole and belongs to its order.

import type { BankAccount, TargetCard } from '../../acquirers/acquirer.ts';
import { binOf, brandOf, lastFourOf } from '../../domain/card/card.ts';
import type { Order, OrderKey } from '../../domain/order/order.ts';
import { Secret } from '../../domain/secret.ts';
import type { OrderRecord, Sealed, StoredCard } from '../../storage/store.ts';
import { accountPlace, cardPlace } from '../../vault/places.ts';
import type { Vault } from '../../vault/vault.ts';
import type { OrderIds } from '../node/identifiers.ts';

/** A card as somebody typed it; of a card that only receives money the expiry may be unknown. */
export type TypedCard = TargetCard & {
  readonly expireMonth?: number | undefined;
  readonly expireYear?: number | undefined;
};

export type Payee = { readonly typed: TypedCard } | { readonly stored: StoredCard } | { readonly account: BankAccount };

/** What an order's record says about who is paid, and the card to be stored with it. */
export type KeptPayee = Pick<OrderRecord, 'targetCardId' | 'sealedTarget'> & { readonly card: StoredCard | undefined };

export type PayeeParts = { readonly vault: Vault; readonly ids: OrderIds };

export function keepPayee(
  { vault, ids }: PayeeParts,
  payee: Payee | undefined,
  order: Pick<Order, 'merchantId' | 'orderId' | 'createdAt'>,
): KeptPayee {
  const nobody = { targetCardId: undefined, sealedTarget: undefined, card: undefined };
  if (!payee) return nobody;
  if ('account' in payee) return { ...nobody, sealedTarget: sealAccount(vault, payee.account, order) };
  if ('stored' in payee) return { ...nobody, targetCardId: payee.stored.cardId };
  const { merchantId, createdAt } = order;
  const card = sealCard(vault, payee.typed, { merchantId, cardId: ids.next(createdAt) });
  return { ...nobody, targetCardId: card.cardId, card };
}

export function sealCard(vault: Vault, card: TypedCard, key: { merchantId: number; cardId: number }): StoredCard {
  const number = card.number.reveal();
  return {
    cardId: key.cardId,
    sealed: vault.seal(card.number, cardPlace(key)),
    fingerprint: vault.fingerprint(['card', String(key.merchantId), number]),
    bin: binOf(number),
    lastFour: lastFourOf(number),
    brand: brandOf(number),
    expireMonth: card.expireMonth,
    expireYear: card.expireYear,
    holder: card.holder,
  };
}

function sealAccount(vault: Vault, account: BankAccount, order: OrderKey): Sealed {
  const plain = JSON.stringify({ ...account, number: account.number.reveal() });
  return vault.seal(new Secret(plain), accountPlace(order));
}

export async function openAccount(vault: Vault, sealed: Sealed, order: OrderKey): Promise<BankAccount> {
  const plain = await vault.reveal(sealed, accountPlace(order));
  const { number, ...rest } = JSON.parse(plain.reveal());
  return { ...rest, number: new Secret<string>(number) };
}
