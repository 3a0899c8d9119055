// Masks the card and account numbers that merchants write into descriptions, before these reach our tables.

import { maskAccountNumber, maskCardNumber, SHORTEST_CARD_NUMBER } from '../../domain/card/card.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import type { OrderDetails } from '../../domain/order/details.ts';
import type { Secret } from '../../domain/secret.ts';
import type { PayingCard } from '../orders/order-request.ts';
import type { Payee } from './payee.ts';

/** A shorter account number would be found in too many texts. */
const SHORTEST_ACCOUNT = 6;

/** Whether the text holds the number, however its digits are grouped. */
export function holdsNumber(text: string, number: Secret<string>): boolean {
  return text.length >= SHORTEST_CARD_NUMBER && text.replace(/\D/g, '').includes(number.reveal());
}

export function withoutNumbers(
  details: OrderDetails,
  { card, payee }: { card: PayingCard | undefined; payee: Payee | undefined },
): OrderDetails {
  const masks = new Map<string, string>();
  for (const one of [card, payee]) {
    if (one && 'typed' in one) masks.set(one.typed.number.reveal(), maskCardNumber(one.typed.number.reveal()));
  }
  if (payee && 'account' in payee) {
    const number = payee.account.number.reveal();
    if (number.length >= SHORTEST_ACCOUNT) masks.set(number, maskAccountNumber(number));
  }
  return withoutOtherCards(holdsAny(details, masks) ? (masked(details, masks) as OrderDetails) : details);
}

/** Texts that people write and no program reads. URLs and the merchant's own data must stay as they came. */
const WRITTEN = ['description', 'address', 'city', 'state', 'purpose', 'comment'] as const;

/** Masks the numbers of other cards than those of the order. */
function withoutOtherCards(details: OrderDetails): OrderDetails {
  let clean = details;
  for (const name of WRITTEN) {
    const text = details[name];
    if (text === undefined) continue;
    const shown = maskCardNumbers(text);
    if (shown !== text) clean = { ...clean, [name]: shown };
  }
  const { browser } = details;
  if (!browser || Object.values(browser).every((text) => maskCardNumbers(text) === text)) return clean;
  const told = Object.entries(browser).map(([name, text]) => [name, maskCardNumbers(text)]);
  return { ...clean, browser: Object.fromEntries(told) };
}

/** Hardly any text holds one; looking first costs far less than copying. */
function holdsAny(value: unknown, masks: ReadonlyMap<string, string>): boolean {
  if (typeof value === 'string') {
    for (const number of masks.keys()) if (value.includes(number)) return true;
    return false;
  }
  if (typeof value !== 'object' || value === null) return false;
  for (const name in value) if (holdsAny((value as Record<string, unknown>)[name], masks)) return true;
  return false;
}

function masked(value: unknown, masks: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') {
    let text = value;
    for (const [number, mask] of masks) text = text.replaceAll(number, mask);
    return text;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, masked(each, masks)]));
}
