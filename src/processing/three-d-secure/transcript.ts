// The messages of an authentication as the order's timeline keeps them: whole, but without card numbers and proofs.

import { maskCardNumber } from '../../domain/card/card.ts';
import type { AuthenticationLine } from '../../domain/three-d-secure/authentication-record.ts';

/** Fields with card numbers, which are masked. */
const CARD_NUMBERS: ReadonlySet<string> = new Set(['acctNumber', 'pan']);

/** Fields with proofs and other secrets, which are shown as `[hidden]`. */
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
