// Reads what an administrator of the fraud floor gave. Whatever is wrong is said in one line that names what would be right.

import { maskCardNumbers } from '../domain/card.ts';
import type { Endpoint } from '../domain/merchant.ts';
import { readAmount, writeAmount } from '../domain/money.ts';
import type { Configuration, StoredMerchant } from '../storage/configuration.ts';

const MAX_COUNT = 1_000_000;
const MAX_WINDOW_MS = 31 * 24 * 60 * 60 * 1000;
const MAX_NOTE = 200;
const MAX_SHOWN = 40;

export type Given = Readonly<Record<string, unknown>>;

/** Something given cannot be taken; the message is for the person who gave it. */
export class Unfit extends Error {
  override readonly name = 'Unfit';
}

export function merchantOf({ login }: Given, { merchants }: Configuration): StoredMerchant {
  if (login === undefined) throw new Unfit('login is missing: the login of a merchant is needed');
  const merchant = merchants.find((one) => one.login === login);
  if (!merchant) throw new Unfit(`there is no merchant ${shown(login)}`);
  return merchant;
}

export function endpointOf(given: Given, { endpoints }: Configuration): Endpoint {
  const endpointId = idOf(given, 'endpointId');
  const endpoint = endpoints.find((one) => one.endpointId === endpointId);
  if (!endpoint) throw new Unfit(`there is no endpoint ${endpointId}`);
  return endpoint;
}

export function idOf(given: Given, name: string): number {
  const value = given[name];
  if (value === undefined) throw new Unfit(`${name} is missing`);
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0) return value;
  throw new Unfit(`${name}: a whole number above 0 is needed, not ${shown(value)}`);
}

export function wordOf<Word extends string>(given: Given, name: string, words: readonly Word[]): Word {
  const word = words.find((one) => one === given[name]);
  if (word === undefined) throw new Unfit(`${name}: one of ${words.join(', ')} is needed, not ${shown(given[name])}`);
  return word;
}

const UNITS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export function windowOf({ window }: Given, or = ''): number {
  const [, figure, unit] = (typeof window === 'string' && /^([1-9]\d{0,6})([smhd])$/.exec(window)) || [];
  const windowMs = Number(figure) * UNITS[unit as keyof typeof UNITS];
  if (windowMs <= MAX_WINDOW_MS) return windowMs;
  throw new Unfit(`window: a time up to 31d such as 90s, 30m, 24h or 7d${or} is needed, not ${shown(window)}`);
}

/** In the largest unit that leaves nothing over. */
export function writeWindow(windowMs: number): string {
  const [unit, length] = Object.entries(UNITS).findLast(([, one]) => windowMs % one === 0) ?? ['s', UNITS.s];
  return `${windowMs / length}${unit}`;
}

export function countOf({ count }: Given): number | undefined {
  if (count === undefined) return undefined;
  if (typeof count === 'number' && Number.isInteger(count) && count >= 1 && count <= MAX_COUNT) return count;
  throw new Unfit(`count: a whole number from 1 to ${MAX_COUNT} is needed, not ${shown(count)}`);
}

export function sumOf({ amount }: Given, { currency }: Endpoint): bigint | undefined {
  if (amount === undefined) return undefined;
  const minor = typeof amount === 'string' ? readAmount(amount, currency, 'major') : undefined;
  if (minor !== undefined) return minor;
  const example = writeAmount({ minor: 50_000n, currency }, 'major');
  throw new Unfit(`amount: an amount in ${currency} such as ${example} is needed, not ${shown(amount)}`);
}

export function noteOf({ note }: Given): string | undefined {
  if (note === undefined) return undefined;
  const text = typeof note === 'string' ? note.trim() : '';
  if (text !== '' && text.length <= MAX_NOTE && !/\p{Cc}/u.test(text)) return maskCardNumbers(text);
  throw new Unfit(`note: 1 to ${MAX_NOTE} characters on one line are needed`);
}

/** What was given, safe to repeat on one line. */
export function shown(value: unknown): string {
  const text = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replaceAll(/\p{Cc}/gu, ' ');
  const safe = maskCardNumbers(text);
  return `"${safe.length > MAX_SHOWN ? `${safe.slice(0, MAX_SHOWN)}…` : safe}"`;
}
