// The digits of a card or account number that the bank's books may hold: they tell two apart and cannot be paid with.

import type { Target, TargetCard } from '../acquirer.ts';

export type CardDigits = { readonly firstSix: string; readonly lastFour: string };
export type AccountDigits = { readonly accountEnd: string };
export type TargetDigits = CardDigits | AccountDigits;

/** Card numbers are longer: the first and last digits of a shorter text could be the whole of it. */
const SHORTEST_NUMBER = 12;
const LAST = 4;

export function cardDigits(card: TargetCard): CardDigits {
  const number = card.number.reveal();
  if (number.length < SHORTEST_NUMBER) return { firstSix: '', lastFour: endOf(number) };
  return { firstSix: number.slice(0, 6), lastFour: number.slice(-LAST) };
}

export function targetDigitsOf(target: Target): TargetDigits {
  return 'card' in target ? cardDigits(target.card) : { accountEnd: endOf(target.account.number.reveal()) };
}

export function haveSameDigits(a: TargetDigits | undefined, b: TargetDigits | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if ('accountEnd' in a) return 'accountEnd' in b && a.accountEnd === b.accountEnd;
  return !('accountEnd' in b) && a.firstSix === b.firstSix && a.lastFour === b.lastFour;
}

/** The last four characters, and never more than half of the text. */
function endOf(text: string): string {
  return text.slice(text.length - Math.min(LAST, Math.floor(text.length / 2)));
}
