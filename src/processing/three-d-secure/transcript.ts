// What was said in an authentication, as the order's timeline keeps it: whole messages, without what could be paid
// with.

import { maskCardNumber } from '../../domain/card/card.ts';
import type { AuthenticationLine } from '../../domain/three-d-secure/authentication-record.ts';

/** Names of card numbers, which are shown by their ends. */
const CARD_NUMBERS: ReadonlySet<string> = new Set(['acctNumber', 'pan']);

/** Proofs and what else is nobody's business. */
const HIDDEN: ReadonlySet<string> = new Set(['authenticationValue', 'cavv', 'cardExpiryDate', 'expiry', 'acctID']);

export function lineOf(
  from: AuthenticationLine['from'],
  message: Readonly<Record<string, unknown>>,
  at: number,
): AuthenticationLine {
  const masked = Object.entries(message).map(([name, value]) => [name, shown(name, value)] as const);
  return { at, from, message: Object.fromEntries(masked) };
}

function shown(name: string, value: unknown): unknown {
  if (HIDDEN.has(name)) return '[hidden]';
  return CARD_NUMBERS.has(name) && typeof value === 'string' ? maskCardNumber(value) : value;
}
