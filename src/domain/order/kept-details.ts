// What is kept of an order's details, pure. Card numbers do not belong there, and people write them everywhere. Texts
// that only people read are masked; what must come back as it was sent is put aside, to be sealed.

import { maskKnownCards } from '../card/numbers-in-text.ts';
import type { OrderDetails } from './details.ts';

/** Shown to merchants, called, or compared as it was sent. A phone number can look like a card number, too. */
const RETURNED: ReadonlySet<string> = new Set<keyof OrderDetails>([
  'email',
  'phone',
  'cellPhone',
  'siteUrl',
  'merchantData',
  'redirectUrl',
  'redirectSuccessUrl',
  'redirectFailUrl',
  'serverCallbackUrl',
  'notifyUrl',
]);

/** The order's own numbers: of its cards, and with its mask that of a bank account. */
export type OwnNumbers = {
  readonly cards: readonly string[];
  readonly account: { readonly number: string; readonly mask: string } | undefined;
};

/** `aside`: what may be kept only sealed. */
export type KeptDetails = { readonly kept: OrderDetails; readonly aside: OrderDetails | undefined };

export function keptDetails(details: OrderDetails, own: OwnNumbers): KeptDetails {
  // Hardly any order holds one; looking first costs far less than copying.
  let kept: Record<string, unknown> | undefined;
  let aside: Record<string, unknown> | undefined;
  for (const name in details) {
    const value = details[name as keyof OrderDetails];
    if (value === undefined) continue;
    const masked = typeof value === 'string' ? maskedText(value, own) : maskedRecord(value, own);
    if (masked === value) continue;
    kept ??= { ...details };
    if (RETURNED.has(name)) {
      aside = { ...aside, [name]: value };
      delete kept[name];
    } else kept[name] = masked;
  }
  return { kept: kept ?? details, aside };
}

function maskedText(text: string, { cards, account }: OwnNumbers): string {
  const masked = maskKnownCards(text, cards);
  return account && masked.includes(account.number) ? masked.replaceAll(account.number, account.mask) : masked;
}

function maskedRecord(texts: Readonly<Record<string, string>>, own: OwnNumbers): Readonly<Record<string, string>> {
  const entries = Object.entries(texts);
  if (entries.every(([, text]) => maskedText(text, own) === text)) return texts;
  return Object.fromEntries(entries.map(([name, text]) => [name, maskedText(text, own)]));
}
