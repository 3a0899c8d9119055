// Why a control is wrong: the usual mistakes are tried one after the other, and the first whose digest is the one that
// came tells what was signed instead. Sandboxes only: whoever may ask for that may guess at strings.

import { createHmac, hash } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';
import { figuresOfRefused } from './amount-readings.ts';
import { KEY_PLACEHOLDER } from './control.ts';
import { keySpellings } from './key-spellings.ts';
import { percentEncode } from './oauth1.ts';

/** A value of the formula, by its name. */
export type SignedPart = { readonly name: string; readonly value: string };

export type ExplainedSignature = {
  readonly scheme: 'control' | 'oauth';
  /** What a right signature covers, in order; the key of a control stands behind it. */
  readonly expected: readonly SignedPart[];
  /** The signature as it came, where it is one: instead of it, people send the string or their key. */
  readonly came: string;
  /** What it covers, where that was found out; the key is among the parts. */
  readonly instead: {
    readonly parts: readonly SignedPart[];
    readonly between: string;
    readonly mistake: string;
  } | null;
};

export type ControlToExplain = {
  readonly expected: readonly SignedPart[];
  readonly came: string;
  /** Other values of the request that people put into the string: as they were sent. */
  readonly others: readonly SignedPart[];
  /** Keys that the merchant has, also those that sign nothing now. */
  readonly keys: readonly { readonly key: Secret<string>; readonly isUsable: boolean }[];
};

type Attempt = { readonly parts: readonly SignedPart[]; readonly between?: string; readonly mistake: string };

const KEY: SignedPart = { name: 'key', value: KEY_PLACEHOLDER };
const SEPARATORS = [' ', '|', ':', ';', ',', '&', '-', '+', '\n'];
/** More have more orders than anybody would try. */
const MOST_REORDERED = 5;
/** Keys beyond these are not tried. */
const MOST_KEYS = 5;
/** Longer values are not explained: anybody may send them, and hundreds of digests are made. */
const MOST_BYTES = 2_048;
const DIGEST = /^[0-9a-f]{32,128}$/i;
const NO_DIGEST = '(no digest)';

export function explainControl({ expected, came, others, keys }: ControlToExplain): ExplainedSignature {
  const sent = came.trim().toLowerCase();
  const told = { scheme: 'control', expected, came: shownControl(came.trim(), keys) } as const;
  const bytes = [...expected, ...others].reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);
  if (bytes > MOST_BYTES) return { ...told, instead: null };
  for (const { key, isUsable } of keys.slice(0, MOST_KEYS)) {
    for (const attempt of attempts(expected, others, isUsable)) {
      const text = textOf(attempt, key.reveal());
      if (hash('sha1', text, 'hex') === sent) return { ...told, instead: { between: '', ...attempt } };
    }
    const other = otherDigest(expected, key, came.trim());
    if (other) return { ...told, instead: { parts: [...expected, KEY], between: '', mistake: other } };
  }
  return { ...told, instead: null };
}

/** A key may be hexadecimal too, or become so without its dashes. */
function shownControl(came: string, keys: ControlToExplain['keys']): string {
  if (came === '') return '';
  const sent = came.toLowerCase();
  const isOfKey = keys.some(({ key }) => {
    const plain = key
      .reveal()
      .toLowerCase()
      .replaceAll(/[^0-9a-z]/g, '');
    return plain !== '' && (sent.includes(plain) || plain.includes(sent));
  });
  return DIGEST.test(came) && !isOfKey ? came : NO_DIGEST;
}

/** In the order in which they are worth telling. */
function* attempts(expected: readonly SignedPart[], others: readonly SignedPart[], isUsable: boolean) {
  if (!isUsable) {
    yield {
      parts: [...expected, KEY],
      mistake: 'The string is right, but the key is not valid now: take another one.',
    };
  }
  for (const other of others) yield* withValue(expected, other);
  yield* withFigures(expected, others);
  for (const [index, { name }] of expected.entries()) {
    yield { parts: [...expected.toSpliced(index, 1), KEY], mistake: `${name} is left out of the string.` };
  }
  yield { parts: expected, mistake: 'The key is left out: it stands at the end of the string.' };
  yield { parts: [KEY, ...expected], mistake: 'The key stands at the beginning: it belongs to the end.' };
  for (const between of SEPARATORS) {
    const mistake = `${JSON.stringify(between)} stands between the values: nothing may stand there.`;
    yield { parts: [...expected, KEY], between, mistake };
  }
  yield { parts: [...expected, KEY, { name: 'line end', value: '\n' }], mistake: 'A line end stands behind the key.' };
  for (const [write, mistake] of REWRITINGS) {
    yield { parts: [...expected.map((part) => ({ ...part, value: write(part.value) })), KEY], mistake };
  }
  const named = expected.map(({ name, value }) => ({ name, value: `${name}=${value}` }));
  yield { parts: [...named, KEY], between: '&', mistake: 'Names stand in the string: only the values belong there.' };
  for (const parts of ordersOf(expected)) {
    const names = expected.map(({ name }) => name).join(', ');
    yield { parts: [...parts, KEY], mistake: `The values stand in another order: it is ${names}, key.` };
  }
}

/** A value as it was sent in the place of what is signed for it, or one that does not belong there at all. */
function* withValue(expected: readonly SignedPart[], other: SignedPart): Generator<Attempt> {
  const at = expected.findIndex(({ name }) => name === other.name);
  const right = expected[at];
  if (right) {
    if (right.value === other.value) return;
    const mistake = `${other.name} is signed as ${JSON.stringify(other.value)}: it must be ${JSON.stringify(right.value)}.`;
    yield { parts: [...expected.with(at, other), KEY], mistake };
    return;
  }
  for (let place = 0; place <= expected.length; place++) {
    const mistake = `${other.name} stands in the string: it does not belong there.`;
    yield { parts: [...expected.toSpliced(place, 0, other), KEY], mistake };
    const replaced = expected[place];
    if (!replaced) continue;
    const swapped = `${other.name} stands in the place of ${replaced.name}.`;
    yield { parts: [...expected.with(place, other), KEY], mistake: swapped };
  }
}

/** The amount in figures that people make of it: with its point, in major units, with other decimals. */
function* withFigures(expected: readonly SignedPart[], others: readonly SignedPart[]): Generator<Attempt> {
  const at = expected.findIndex(({ name }) => name === 'amount');
  const right = expected[at];
  const sent = others.find(({ name }) => name === 'amount');
  if (!right || !sent) return;
  const figures = [right.value, sent.value].flatMap((text) => [...figuresOfRefused(text), `${text}00`, `${text}.00`]);
  for (const value of new Set(figures)) {
    if (value === right.value) continue;
    const mistake = `amount is signed as ${JSON.stringify(value)}: in minor units it is ${JSON.stringify(right.value)}.`;
    yield { parts: [...expected.with(at, { name: 'amount', value }), KEY], mistake };
  }
}

/** Ways in which all values are written otherwise than they are sent. */
const REWRITINGS: readonly (readonly [write: (value: string) => string, mistake: string])[] = [
  [(value) => value.toLowerCase(), 'The values are in lower case: sign them as they are sent.'],
  [(value) => value.toUpperCase(), 'The values are in upper case: sign them as they are sent.'],
  [percentEncode, 'The values are percent-encoded: sign them as they are before they are encoded for the body.'],
  [
    (value) => percentEncode(value).replaceAll('%20', '+'),
    'The values are encoded as in the body: sign them as they are before that.',
  ],
  [(value) => value.replaceAll(/\s/g, ''), 'Blanks are taken out of the values: sign them as they are sent.'],
];

function textOf({ parts, between = '' }: Attempt, key: string): string {
  return parts.map((part) => (part === KEY ? key : part.value)).join(between);
}

/** The right values under another digest, in other letters than UTF-8, or with the key written otherwise. */
function otherDigest(expected: readonly SignedPart[], key: Secret<string>, came: string): string | undefined {
  const sent = came.toLowerCase();
  const values = expected.map(({ value }) => value).join('');
  const text = values + key.reveal();
  for (const algorithm of ['sha256', 'md5', 'sha512']) {
    if (hash(algorithm, text, 'hex') === sent) return `It is a digest by ${algorithm.toUpperCase()}: it must be SHA-1.`;
  }
  if (hash('sha1', text, 'base64') === came) return 'It is written in Base64: it must be hexadecimal.';
  if (hash('sha1', hash('sha1', text, 'hex'), 'hex') === sent) return 'It is the digest of a digest: one is enough.';
  for (const algorithm of ['sha1', 'sha256']) {
    if (createHmac(algorithm, key.reveal()).update(values).digest('hex') === sent) {
      return 'It is an HMAC: the key must stand at the end of the string, under a plain SHA-1.';
    }
  }
  if (hash('sha1', Buffer.from(text, 'latin1'), 'hex') === sent) {
    return 'The string is in ISO 8859-1: it must be in UTF-8 when it is digested.';
  }
  const spelling = keySpellings(key).find(({ spelled }) => hash('sha1', values + spelled.reveal(), 'hex') === sent);
  return spelling?.mistake;
}

function ordersOf<T>(all: readonly T[]): (readonly T[])[] {
  if (all.length > MOST_REORDERED) return [];
  if (all.length <= 1) return [all];
  return all.flatMap((one, index) => ordersOf(all.toSpliced(index, 1)).map((rest) => [one, ...rest]));
}
