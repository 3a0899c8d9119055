// Why an OAuth signature is wrong: the usual mistakes are tried one after the other, as with controls, and the first
// that gives the signature that came tells what was signed instead. Sandboxes and merchants' own machines only.

import { constants, createHmac, hash, type KeyObject, verify } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';
import { percentDecoded } from '../domain/text.ts';
import type { ExplainedSignature, SignedPart } from './explained-control.ts';
import { keySpellings } from './key-spellings.ts';
import { hmacSha1Fits, type Pair, percentEncode, readSignature, rsaSha256Fits } from './oauth1.ts';
import { urlMistakes } from './url-mistakes.ts';

/** A key that is tried; `isUsable` says whether it may sign the request now. */
type Tried<Key> = { readonly key: Key; readonly isUsable: boolean };

export type OAuthToExplain = {
  readonly method: 'HMAC-SHA1' | 'RSA-SHA256';
  readonly came: string;
  /** The URL that a right signature covers, and further ones that it may cover. */
  readonly urls: readonly [string, ...string[]];
  /** All parameters that are signed, as sent: those of the header, then those of the body. */
  readonly signed: readonly Pair[];
  readonly controlKeys: readonly Tried<Secret<string>>[];
  readonly publicKeys: readonly Tried<KeyObject>[];
};

/** How a base string is written, where it differs from the right one. */
type Writing = {
  readonly verb?: string;
  readonly url?: string;
  readonly pairs?: readonly Pair[];
  readonly sorted?: 'as sent' | 'regardless of case' | 'backwards';
  readonly encode?: (text: string) => string;
  readonly encodeUrl?: (text: string) => string;
  readonly encodeJoined?: (text: string) => string;
};

type Change = Writing & { readonly mistake: string };

/** More have more ways to be left out than anybody would try. */
const MOST_LEFT_OUT = 80;
const MOST_KEYS = 5;
/** Longer requests are not explained: anybody may send them, and hundreds of signatures are tried. */
const MOST_BYTES = 8_192;
const MOST_PAIRS = 60;
const SIGNATURE = /^[A-Za-z0-9+/]{27,}={0,2}$/;
const NO_SIGNATURE = '(no signature)';

export function explainOAuth(subject: OAuthToExplain): ExplainedSignature {
  const { signed, urls, controlKeys, publicKeys } = subject;
  const told = { scheme: 'oauth', expected: partsOf(subject, {}), came: shownSignature(subject) } as const;
  const bytes = signed.reduce((sum, [name, value]) => sum + Buffer.byteLength(name + value), urls[0].length);
  const isLong = bytes > MOST_BYTES || signed.length > MOST_PAIRS;
  if (isLong || controlKeys.length + publicKeys.length === 0) return { ...told, instead: null };
  const change = foundChange(subject);
  const instead = change && { parts: partsOf(subject, change), between: '', mistake: change.mistake };
  return { ...told, instead: instead ?? null };
}

function foundChange(subject: OAuthToExplain): Change | undefined {
  const right = baseOf(subject, {});
  const way = wayMistake(subject, right);
  if (way !== undefined) return { mistake: way };
  const signature = readSignature(subject.came);
  if (!signature) return undefined;
  const fits = fittingOf(subject, signature);
  if (subject.urls.some((url) => fits(baseOf(subject, { url })))) return undefined;
  const byUrl: readonly Change[] = urlMistakes(subject.urls);
  const byParameters = [...parameterChanges(subject.signed), ...encodingChanges()];
  const single = [...byUrl, ...byParameters].find((change) => fits(baseOf(subject, change)));
  // Two mistakes at once are worth trying only where a signature costs next to nothing.
  if (single || subject.method === 'RSA-SHA256') return single;
  for (const other of byParameters) {
    const joined = joinedOf(subject, other);
    const url = byUrl.find((change) => fits(baseOf(subject, { ...other, ...change }, joined)));
    if (url) return { ...other, ...url, mistake: `${url.mistake} ${other.mistake}` };
  }
  return undefined;
}

/** The parts that a base string joins: verb, URL and parameters. */
function partsOf(subject: OAuthToExplain, writing: Writing): SignedPart[] {
  const { verb = 'POST', url = subject.urls[0] } = writing;
  const pairs = orderedPairs(subject, writing);
  const named = pairs.map(([name, value]) => ({ name, value }));
  return [{ name: 'verb', value: verb }, { name: 'URL', value: url }, ...named];
}

function baseOf(subject: OAuthToExplain, writing: Writing, joined = joinedOf(subject, writing)): string {
  const { verb = 'POST', url = subject.urls[0], encodeUrl = percentEncode } = writing;
  return `${verb}&${encodeUrl(url)}&${joined}`;
}

/** The parameters as they stand in a base string. */
function joinedOf(subject: OAuthToExplain, writing: Writing): string {
  const { encode = percentEncode, encodeJoined = percentEncode } = writing;
  const joined = orderedPairs(subject, writing).map(([name, value]) => `${encode(name)}=${encode(value)}`);
  return encodeJoined(joined.join('&'));
}

function orderedPairs({ signed }: OAuthToExplain, { pairs = signed, sorted, encode = percentEncode }: Writing): Pair[] {
  if (sorted === 'as sent') return [...pairs];
  const written = sorted === 'regardless of case' ? (text: string) => text.toLowerCase() : encode;
  const places = pairs.map((pair) => ({ pair, name: written(pair[0]), value: written(pair[1]) }));
  places.sort((one, other) => compared(one.name, other.name) || compared(one.value, other.value));
  if (sorted === 'backwards') places.reverse();
  return places.map(({ pair }) => pair);
}

function compared(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function* parameterChanges(signed: readonly Pair[]): Generator<Change> {
  const isOAuth = ([name]: Pair) => name.startsWith('oauth_');
  yield {
    pairs: signed.filter(isOAuth),
    mistake: 'The fields of the body are left out of the base string: they belong there beside the OAuth parameters.',
  };
  yield {
    pairs: signed.filter((pair) => !isOAuth(pair)),
    mistake: 'The OAuth parameters are left out of the base string: they belong there beside the fields of the body.',
  };
  yield {
    pairs: signed.filter(([, value]) => value !== ''),
    mistake: 'Fields without a value are sent and left out of the base string: sign them too, or do not send them.',
  };
  yield {
    pairs: signed.map(([name, value]) => [name, value.trim()]),
    mistake: 'Values are sent with blanks around them and signed without: sign them as they are sent.',
  };
  for (const [index, [name]] of signed.slice(0, MOST_LEFT_OUT).entries()) {
    yield { pairs: signed.toSpliced(index, 1), mistake: `${name} is sent and left out of the base string.` };
  }
  for (const [name, value] of SIGNED_UNSENT) {
    if (signed.some(([sent]) => sent === name)) continue;
    const mistake = `${name} is signed${value === '' ? ' without a value' : ` as ${value}`}, and not sent.`;
    yield { pairs: [...signed, [name, value]], mistake };
  }
  yield { sorted: 'as sent', mistake: 'The parameters are not sorted by their names.' };
  yield { sorted: 'backwards', mistake: 'The parameters are sorted backwards.' };
  yield {
    sorted: 'regardless of case',
    mistake: 'The parameters are sorted regardless of case: sort by bytes, where Z stands before a.',
  };
}

/** What libraries sign by themselves and do not always send. */
const SIGNED_UNSENT: readonly Pair[] = [
  ['oauth_version', '1.0'],
  ['oauth_token', ''],
];

const withPlus = (text: string) => percentEncode(text).replaceAll('%20', '+');
const inSmallLetters = (text: string) => percentEncode(text).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase());
const asIs = (text: string) => text;

function* encodingChanges(): Generator<Change> {
  yield { encode: withPlus, mistake: 'A space is encoded as +: in a base string it is %20.' };
  const small = { encode: inSmallLetters, encodeUrl: inSmallLetters, encodeJoined: inSmallLetters };
  yield { ...small, mistake: 'Codes such as %3a are in small letters: write %3A.' };
  yield { encode: inSmallLetters, mistake: 'Codes such as %3a in values are in small letters: write %3A.' };
  const component = { encode: encodeURIComponent, encodeUrl: encodeURIComponent, encodeJoined: encodeURIComponent };
  const mistake =
    "The characters ! ' ( ) * are not encoded: encodeURIComponent leaves them alone, and they become %21 %27 %28 %29 %2A.";
  yield { ...component, mistake };
  yield { encode: encodeURIComponent, mistake };
  yield { encode: asIs, mistake: 'Values are not encoded before they are joined: they are encoded twice in all.' };
  yield { encodeJoined: asIs, mistake: 'The joined parameters are not encoded once more before the base string.' };
  yield { encodeUrl: asIs, mistake: 'The URL is not encoded.' };
  yield { encodeUrl: asIs, encodeJoined: asIs, mistake: 'Neither URL nor joined parameters are encoded.' };
  yield {
    encode: (text) => percentEncode(percentEncode(text)),
    mistake: 'Values are encoded once too often: they are encoded twice in all.',
  };
  for (const verb of ['GET', 'post', 'PUT']) {
    yield { verb, mistake: `${verb} stands at the beginning of the base string: it is POST.` };
  }
}

/** Whether a base string gives the signature under a key of the merchant, as it should be made. */
function fittingOf({ method, controlKeys, publicKeys }: OAuthToExplain, signature: Buffer) {
  return (base: string): boolean =>
    method === 'HMAC-SHA1'
      ? controlKeys.slice(0, MOST_KEYS).some(({ key }) => hmacSha1Fits(signature, base, key))
      : publicKeys.slice(0, MOST_KEYS).some(({ key }) => rsaSha256Fits(signature, base, key));
}

/** The base string is right, and the way in which it was signed is not. */
function wayMistake(subject: OAuthToExplain, base: string): string | undefined {
  const { came } = subject;
  const decoded = percentDecoded(came);
  if (decoded !== undefined && decoded !== came) {
    const isRight = hmacMistakes(subject, base, decoded, true) ?? rsaMistakes(subject, base, decoded, true);
    if (isRight !== undefined) return 'oauth_signature is encoded once too often in the header.';
  }
  return hmacMistakes(subject, base, came) ?? rsaMistakes(subject, base, came);
}

const RIGHT = 'The signature is right.';

function hmacMistakes(
  { method, controlKeys }: OAuthToExplain,
  base: string,
  came: string,
  takesRight = false,
): string | undefined {
  for (const { key, isUsable } of controlKeys.slice(0, MOST_KEYS)) {
    for (const { spelled, mistake } of keySpellings(key)) {
      for (const [secret, wrongSecret] of secretsOf(spelled.reveal())) {
        for (const [algorithm, wrongAlgorithm] of HMACS) {
          const digest = createHmac(algorithm, secret).update(base).digest();
          for (const [text, wrongText] of textsOf(digest)) {
            if (text !== came) continue;
            const wrong = [mistake, wrongSecret, wrongAlgorithm, wrongText].filter((one) => one !== undefined);
            if (wrong.length > 0) return wrong.join(' ');
            if (method !== 'HMAC-SHA1') return 'It is signed by HMAC-SHA1 with the control key: it must be RSA-SHA256.';
            if (!isUsable) return 'The base string is right, but the key is not valid now: take another one.';
            return takesRight ? RIGHT : undefined;
          }
        }
      }
    }
    if (textsOf(hash('sha1', base + key.reveal(), 'buffer')).some(([text]) => text === came)) {
      return 'It is a plain SHA-1 of base string and key: it must be an HMAC-SHA1 under the key.';
    }
  }
  return undefined;
}

/** The secret of an HMAC is the control key, an ampersand and the secret of a token, of which there is none. */
function secretsOf(key: string): [string, string?][] {
  const encoded = percentEncode(key);
  return [
    [`${key}&`],
    [`${encoded}&`],
    [key, 'The key stands alone: an ampersand belongs behind it, also without the secret of a token.'],
    [`&${key}`, 'The key stands behind the ampersand: it belongs before it.'],
    [`${key}&${key}`, 'The key stands on both sides of the ampersand: nothing belongs behind it.'],
  ];
}

const HMACS: readonly (readonly [string, string?])[] = [
  ['sha1'],
  ['sha256', 'It is an HMAC-SHA256: it must be HMAC-SHA1.'],
  ['sha512', 'It is an HMAC-SHA512: it must be HMAC-SHA1.'],
];

function textsOf(signature: Buffer): [string, string?][] {
  const base64 = signature.toString('base64');
  return [
    [base64],
    [signature.toString('hex'), 'It is written in hexadecimal digits: it must be Base64.'],
    [signature.toString('base64url'), 'It is written in the alphabet of Base64 for URLs: it must be plain Base64.'],
    [Buffer.from(signature.toString('hex')).toString('base64'), 'It is the Base64 of hexadecimal digits.'],
  ];
}

/** Paddings and digests that libraries choose by themselves. */
const RSA_WAYS: readonly (readonly [algorithm: string, padding: number, mistake?: string])[] = [
  ['sha256', constants.RSA_PKCS1_PADDING],
  ['sha1', constants.RSA_PKCS1_PADDING, 'It is an RSA-SHA1 signature: it must be RSA-SHA256.'],
  ['sha512', constants.RSA_PKCS1_PADDING, 'It is an RSA-SHA512 signature: it must be RSA-SHA256.'],
  ['sha256', constants.RSA_PKCS1_PSS_PADDING, 'It is padded by PSS: the padding must be PKCS #1 v1.5.'],
];

function rsaMistakes(
  { method, publicKeys }: OAuthToExplain,
  base: string,
  came: string,
  takesRight = false,
): string | undefined {
  const signature = readSignature(came) ?? Buffer.from(came, /^[0-9a-f]+$/i.test(came) ? 'hex' : 'base64url');
  for (const { key, isUsable } of publicKeys.slice(0, MOST_KEYS)) {
    for (const [algorithm, padding, mistake] of RSA_WAYS) {
      if (key.asymmetricKeyType !== 'rsa' || !verify(algorithm, Buffer.from(base), { key, padding }, signature))
        continue;
      if (mistake !== undefined) return mistake;
      if (readSignature(came) === undefined) return 'It is not written in plain Base64.';
      if (method !== 'RSA-SHA256') return 'It is signed by RSA-SHA256: this request must be signed by HMAC-SHA1.';
      if (!isUsable) return 'The base string is right, but the key is not valid now: take another one.';
      return takesRight ? RIGHT : undefined;
    }
  }
  return undefined;
}

/** Instead of a signature people send their key. */
function shownSignature({ came, controlKeys }: OAuthToExplain): string {
  if (came === '') return '';
  const plain = (text: string) => text.toLowerCase().replaceAll(/[^0-9a-z]/g, '');
  const isOfKey = controlKeys.some(({ key }) => plain(came).includes(plain(key.reveal())));
  return SIGNATURE.test(came) && !isOfKey ? came : NO_SIGNATURE;
}
