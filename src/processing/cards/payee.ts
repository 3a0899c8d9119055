// Who is paid: a card typed now, a card stored earlier, or a bank account. A card is stored and may be used again
// later; an account is sealed whole and belongs to its order.

import type { BankAccount, TargetCard } from '../../acquirers/acquirer.ts';
import { binOf, brandOf, lastFourOf } from '../../domain/card/card.ts';
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
  { merchantId, orderId, createdAt }: { merchantId: number; orderId: number; createdAt: number },
): KeptPayee {
  const nobody = { targetCardId: undefined, sealedTarget: undefined, card: undefined };
  if (!payee) return nobody;
  if ('account' in payee) {
    return { ...nobody, sealedTarget: sealAccount(vault, payee.account, { merchantId, orderId }) };
  }
  if ('stored' in payee) return { ...nobody, targetCardId: payee.stored.cardId };
  const card = sealCard(vault, payee.typed, { merchantId, cardId: ids.next(createdAt) });
  return { ...nobody, targetCardId: card.cardId, card };
}

export function sealCard(vault: Vault, card: TypedCard, key: { merchantId: number; cardId: number }): StoredCard {
  const { merchantId, cardId } = key;
  const number = card.number.reveal();
  return {
    cardId,
    sealed: vault.seal(card.number, cardPlace(merchantId, cardId)),
    fingerprint: vault.fingerprint(['card', String(merchantId), number]),
    bin: binOf(number),
    lastFour: lastFourOf(number),
    brand: brandOf(number),
    expireMonth: card.expireMonth,
    expireYear: card.expireYear,
    holder: card.holder,
  };
}

type AccountKey = { readonly merchantId: number; readonly orderId: number };

function sealAccount(vault: Vault, account: BankAccount, { merchantId, orderId }: AccountKey): Sealed {
  const plain = JSON.stringify({ ...account, number: account.number.reveal() });
  return vault.seal(new Secret(plain), accountPlace(merchantId, orderId));
}

export async function openAccount(
  vault: Vault,
  sealed: Sealed,
  { merchantId, orderId }: AccountKey,
): Promise<BankAccount> {
  const plain = await vault.reveal(sealed, accountPlace(merchantId, orderId));
  const { number, ...rest } = JSON.parse(plain.reveal());
  return { ...rest, number: new Secret<string>(number) };
}
