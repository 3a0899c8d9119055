// How the values of options are read: each says what would be right when it is something else.

import { InvalidArgumentError } from 'commander';
import { type CutOff, type Faults, readFaults, readScript, SCRIPT_WORDS } from '../acquirers/index.ts';
import { COUNTED_IDS_END } from '../domain/ids/id-space.ts';
import { readCallbackHost } from '../domain/merchant/callback-hosts.ts';
import { addressesIn } from '../http/client-address.ts';
import type { LimitMode } from '../processing/cards/network-limits.ts';
import { Complaint } from './complaint.ts';

const MAX_PORT = 65_535;
const MAX_MS = 86_400_000;
const MAX_DAYS = 36_500;
/** The simulated bank takes no longer ones. */
const MAX_DELAY_MS = 600_000;
/** Ids grow by half of it on average: with more, those that fit 32 bits would soon be used up. */
const MAX_STRIDE = 1000;
const DAY_LENGTH = 'YYYY-MM-DD'.length;

const wholeNumber = (least: number, most: number, otherwise: string) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < least || value > most) throw new InvalidArgumentError(otherwise);
  return value;
};

export const portNumber = wholeNumber(0, MAX_PORT, 'A port is a whole number from 0 to 65535.');

export const millisecondsOf = wholeNumber(1, MAX_MS, `Milliseconds are a whole number from 1 to ${MAX_MS}.`);

/** Milliseconds, or none. */
export const pauseOf = wholeNumber(0, MAX_MS, `Milliseconds are a whole number from 0 to ${MAX_MS}.`);

const MAX_COUNT = 1_000_000;

/** How many of something there may be. */
export const countOf = wholeNumber(1, MAX_COUNT, `A whole number from 1 to ${MAX_COUNT} is needed.`);

const countBetween = (least: number, most: number) =>
  wholeNumber(least, most, `A whole number from ${least} to ${most} is needed.`);

export const workerCountOf = countBetween(1, 256);

/** With one, payments would wait for every report. */
export const connectionCountOf = countBetween(2, 1_000);

export const seedCountOf = countBetween(1, 100_000_000);

export const partCountOf = countBetween(1, 1024);

/** The column is a small integer. */
const MAX_SHARD = 32_767;

export const shardNumberOf = wholeNumber(0, MAX_SHARD, `A shard is a whole number from 0 to ${MAX_SHARD}.`);

/** A server as a cluster lists it. */
export function serverPlaceOf(text: string): string {
  if (/^[^\s:/]+:\d{1,5}$/.test(text)) return text;
  throw new InvalidArgumentError('A host and a port such as db2:5432 are needed.');
}

export function countOrOff(text: string): number | 'off' {
  return text === 'off' ? text : countOf(text);
}

export const percentOf = wholeNumber(1, 100, 'A percentage is a whole number from 1 to 100.');

/** An id as merchants and endpoints have it. */
export const idOf = wholeNumber(1, Number.MAX_SAFE_INTEGER, 'An id is a whole number above 0.');

export const wholeNumberOf = wholeNumber(0, Number.MAX_SAFE_INTEGER, 'A whole number is needed.');

/** Where a bank of its own is: plain HTTP, since it is on this machine or beside it. */
export function bankAddressOf(text: string): string {
  if (/^http:\/\//.test(text) && URL.canParse(text)) return text;
  throw new InvalidArgumentError('An address such as http://127.0.0.1:8081 is needed.');
}

/** Days, or for ever. */
export function daysOf(text: string): number | 'forever' {
  if (text === 'forever') return text;
  return wholeNumber(1, MAX_DAYS, `Days are a whole number from 1 to ${MAX_DAYS}, or forever.`)(text);
}

export function idsOf(text: string, earlier: readonly number[] = []): number[] {
  return [...earlier, ...listOf(text).map(idOf)];
}

/** Where ids begin: below those that were made from the clock. */
export const firstIdOf = wholeNumber(
  1,
  COUNTED_IDS_END - 1,
  `An id to begin at is a whole number from 1 to ${COUNTED_IDS_END - 1}.`,
);

export const strideOf = wholeNumber(1, MAX_STRIDE, `A stride is a whole number from 1 to ${MAX_STRIDE}.`);

/** A share between 0 and 1, as the rates of faults are. */
export function shareOf(text: string): number {
  const value = Number(text);
  if (!/^\d(\.\d+)?$/.test(text) || value > 1) throw new InvalidArgumentError('A rate is a number from 0 to 1.');
  return value;
}

/** Milliseconds, or a range of them such as 100-500. */
export function delayOf(text: string): number | { from: number; to: number } {
  const otherwise = `A delay is 0 to ${MAX_DELAY_MS} milliseconds, or a range such as 100-500.`;
  const [from = 0, to, ...more] = text.split('-').map(wholeNumber(0, MAX_DELAY_MS, otherwise));
  if (to === undefined) return from;
  if (to < from || more.length > 0) throw new InvalidArgumentError(otherwise);
  return { from, to };
}

export function onOffOf(text: string): boolean {
  if (text !== 'on' && text !== 'off') throw new InvalidArgumentError('It is either on or off.');
  return text === 'on';
}

/** Earlier versions said `enforced` for `on`. */
export function limitModeOf(text: string): LimitMode {
  return onOffOf(text === 'enforced' ? 'on' : text) ? 'on' : 'off';
}

/** Addresses and address ranges, separated by commas. */
export function addressRangesOf(text: string): string[] {
  const ranges = listOf(text);
  if (addressesIn(ranges)) return ranges;
  throw new InvalidArgumentError('Addresses and address ranges such as 127.0.0.1,10.0.0.0/8 are needed.');
}

/** Hosts that a sandbox may call back; the option may also be repeated. */
export function callbackHostsOf(text: string, earlier?: readonly string[]): string[] {
  const hosts = listOf(text, earlier);
  const wrong = hosts.filter((host) => readCallbackHost(host) === undefined);
  if (wrong.length === 0 && hosts.length > 0) return hosts;
  const named = wrong.length === 0 ? '' : `${wrong.join(', ')} cannot be read. `;
  throw new InvalidArgumentError(`${named}Hosts such as shop,shop:3000,10.0.0.0/8,[fd00::1]:8080 are needed.`);
}

/** Values separated by commas; the option may also be repeated. Nothing at all is an empty list. */
export function listOf(text: string, earlier: readonly string[] = []): string[] {
  const more = text.split(',').map((one) => one.trim());
  return [...earlier, ...more.filter((one) => one !== '')];
}

/** `name=value`; the option may be repeated. */
export function pairsOf(text: string, earlier: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=');
  if (at < 1) throw new InvalidArgumentError('A name and a value such as port=8583 are needed.');
  const name = text.slice(0, at);
  if (Object.hasOwn(earlier, name)) throw new InvalidArgumentError(`${name} is given twice.`);
  return { ...earlier, [name]: text.slice(at + 1) };
}

/** Subjects of certificates, separated by semicolons, which none has in it; the option may also be repeated. */
export function subjectsOf(text: string, earlier: readonly string[] = []): string[] {
  const more = text.split(/(?<!\\);/).map((one) => one.trim());
  if (more.includes(''))
    throw new InvalidArgumentError('A subject such as CN=ds.example.com or a fingerprint is needed.');
  return [...earlier, ...more];
}

const ROLE_NAME = /^[a-z_][a-z0-9_]{0,62}$/;

export function roleNameOf(text: string): string {
  if (ROLE_NAME.test(text)) return text;
  throw new InvalidArgumentError('A role is named with small letters, digits and underscores.');
}

/** Places for heads of the audit chain, separated by blanks; the option may also be repeated. */
export function placesOf(text: string, earlier: readonly string[] = []): string[] {
  const more = text.trim().split(/\s+/);
  if (more.some((one) => !/^(file|syslog|syslog\+tcp|syslog\+unix|https?):/.test(one))) {
    throw new InvalidArgumentError(
      'A place is file:/path, syslog://host:514, syslog+tcp://host:601, syslog+unix:/path or https://host/path.',
    );
  }
  return [...earlier, ...more];
}

/** A moment, as `2027-01-31` (midnight, UTC) or with a time and its zone. */
export function momentOf(text: string): string {
  const shape = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2})?(Z|[+-]\d{2}:\d{2}))?$/;
  if (!shape.test(text) || !isDay(text.slice(0, DAY_LENGTH)) || Number.isNaN(Date.parse(text))) {
    throw new InvalidArgumentError('A moment is written 2027-01-31 or 2027-01-31T18:00:00Z.');
  }
  return new Date(text).toISOString();
}

/** A day, as `2027-01-31`. */
export function dateOf(text: string): string {
  if (!isDay(text)) throw new InvalidArgumentError('A day is written 2027-01-31.');
  return text;
}

/** Whether the calendar has it: the system takes 31 February for 3 March. */
function isDay(text: string): boolean {
  const moment = new Date(/^\d{4}-\d{2}-\d{2}$/.test(text) ? text : Number.NaN);
  return !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(text);
}

export function cutOffOf(value: string): CutOff {
  if (value !== 'never' && !/^([01]\d|2[0-3]):[0-5]\d$/.test(value)) {
    throw new InvalidArgumentError('A cut-off is a time such as 23:00, or never.');
  }
  return value as CutOff;
}

/** A script of faults, such as `3*ok,lose-answer,refuse`. */
export function scriptOf(text: string): Faults['script'] {
  const script = readScript(listOf(text));
  if (!script) throw new InvalidArgumentError(`A script is a list such as 3*ok,lose-answer of ${SCRIPT_WORDS}.`);
  return script;
}

/** Faults as JSON. */
export function faultsOf(text: string): Partial<Faults> {
  try {
    return readFaults(text);
  } catch (error) {
    throw new InvalidArgumentError(`Faults are JSON such as {"loseAnswerRate":0.1}: ${(error as Error).message}.`);
  }
}

/** The faults that come into force: those given, or with --none not a single one. Undefined when nothing is said. */
export function faultsToSet<F extends object>(given: F, none = false): F | undefined {
  const isSaid = Object.keys(given).length > 0;
  if (none && isSaid) throw new Complaint('--none ends all faults; leave it out to set some');
  return none || isSaid ? given : undefined;
}
