// A card as a request names it: typed, or by the merchant's own reference of a stored one.

import { type Fault, fault, Refusal } from '../../domain/errors.ts';
import type { StoredCard } from '../../storage/store.ts';
import { findStoredCard, type StoredCardsParts } from './stored-cards.ts';

/** `field` is the parameter that carries the reference. */
export type NamedCard = { readonly reference: string; readonly field: string };

export type CardChoice<T> = { readonly typed: T } | NamedCard;

export type ChosenCard<T> = { readonly typed: T } | { readonly stored: StoredCard };

export async function findCard<T>(
  parts: StoredCardsParts,
  merchantId: number,
  choice: CardChoice<T>,
): Promise<ChosenCard<T> | Fault> {
  if ('typed' in choice) return choice;
  const stored = await findStoredCard(parts, merchantId, choice.reference);
  return stored ? { stored } : fault('card-reference-not-found', { field: choice.field });
}

/** Every card that was not found, in one refusal. */
export function notFound(...found: readonly (object | undefined)[]): Refusal | undefined {
  const [first, ...more] = found.filter((one): one is Fault => one !== undefined && 'error' in one);
  return first && new Refusal(first, ...more);
}
