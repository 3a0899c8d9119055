// Who is paid: a card typed now, a card stored earlier, or a bank account. A card is stored and may be used again
// later; an account is sealed whole and belongs to its order.

import type { BankAccount, TargetCard } from '../../acquirers/acquirer.ts';
import { binOf, brandOf, issuerDigitsOf, lastFourOf } from '../../domain/card/card.ts';
import type { OrderKey } from '../../domain/order/order.ts';
import { Secret } from '../../domain/secret.ts';
import type { OrderRecord, Sealed, StoredCard } from '../../storage/store.ts';
import { accountPlace, cardPlace } from '../../vault/places.ts';
import type { Vault } from '../../vault/vault.ts';
import { fingerprintOfCard } from './card-fingerprints.ts';

/** A card as somebody typed it; of a card that only receives money the expiry may be unknown. */
export type TypedCard = TargetCard & {
  readonly expireMonth?: number | undefined;
  readonly expireYear?: number | undefined;
};

export type Payee = { readonly typed: TypedCard } | { readonly stored: StoredCard } | { readonly account: BankAccount };

/** What an order's record says about who is paid, and the card to be stored with it. */
export type KeptPayee = Pick<OrderRecord, 'targetCardId' | 'sealedTarget'> & { readonly card: StoredCard | undefined };

/** Whether the payee is a card that will be stored, under an id of its own. */
export function bringsCard(payee: Payee | undefined): payee is { readonly typed: TypedCard } {
  return payee !== undefined && 'typed' in payee;
}

const NOBODY: KeptPayee = { targetCardId: undefined, sealedTarget: undefined, card: undefined };

export function keepPayee(
  vault: Vault,
  payee: Payee | undefined,
  order: OrderKey,
  cardId: number | undefined,
): KeptPayee {
  if (!payee) return NOBODY;
  if ('account' in payee) return { ...NOBODY, sealedTarget: sealAccount(vault, payee.account, order) };
  if ('stored' in payee) return { ...NOBODY, targetCardId: payee.stored.cardId };
  const { merchantId, orderId } = order;
  if (cardId === undefined) throw new Error(`Order ${orderId} has no id for the card it pays to`);
  const card = sealCard(vault, payee.typed, { merchantId, cardId });
  return { ...NOBODY, targetCardId: card.cardId, card };
}

export function sealCard(vault: Vault, card: TypedCard, key: { merchantId: number; cardId: number }): StoredCard {
  const number = card.number.reveal();
  return {
    cardId: key.cardId,
    sealed: vault.seal(card.number, cardPlace(key)),
    fingerprint: fingerprintOfCard(vault, key.merchantId, number),
    bin: binOf(number),
    issuerDigits: issuerDigitsOf(number),
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
