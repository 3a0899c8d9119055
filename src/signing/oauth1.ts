// OAuth 1.0a signatures (RFC 5849 section 3.4): which parameters are signed, the base string that they make, and
// whether a signature fits it. Names and values are used as they were sent, before any trimming.

import { constants, createHmac, type KeyObject, timingSafeEqual, verify } from 'node:crypto';
import type { Secret } from '../domain/secret.ts';

export type Pair = readonly [name: string, value: string];

const RESERVED = /[^A-Za-z0-9\-._~]/;
/** Reserved by RFC 3986 and left alone by encodeURIComponent. */
const LEFT_ALONE = /[!'()*]/g;

/** Everything but letters, digits and -._~ as upper-case codes of its UTF-8 bytes; a space is %20. */
export function percentEncode(text: string): string {
  if (!RESERVED.test(text)) return text;
  return encodeURIComponent(text).replace(
    LEFT_ALONE,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The URL that is signed: public scheme and host in lower case, no default port, and the path. */
export function signedUrl(baseUrl: string, path: string): string {
  const { protocol, host, pathname } = new URL(baseUrl);
  return `${protocol}//${host}${pathname.replace(/\/$/, '')}${path}`;
}

/** How a request was called: its whole path as it was written and, where that counts, its own scheme and host. */
export type CalledUrl = { readonly path: string; readonly origin: string | undefined };

/** The URLs that a client may have signed: the specified one first, then what it called. */
export function signedUrls(baseUrl: string, path: string, called: CalledUrl): readonly [string, ...string[]] {
  const specified = signedUrl(baseUrl, path);
  const { origin, pathname } = new URL(specified);
  const origins = called.origin === undefined ? [origin] : [origin, called.origin];
  const all = origins.flatMap((each) => [each + pathname, each + called.path]);
  return [specified, ...new Set(all.filter((url) => url !== specified))];
}

/** Clients call by few names, and reading a URL takes longer than finding what was read before. */
const MOST_ORIGINS = 100;
const origins = new Map<string, string | undefined>();

/** Scheme and host of a request; undefined when its Host header names none. */
export function originOf(scheme: 'http' | 'https', host: string | undefined): string | undefined {
  if (host === undefined) return undefined;
  const text = `${scheme}://${host}`;
  if (origins.has(text)) return origins.get(text);
  const origin = /^[\w.:[\]-]+$/.test(host) && URL.canParse(text) ? new URL(text).origin : undefined;
  if (origins.size === MOST_ORIGINS) origins.clear();
  origins.set(text, origin);
  return origin;
}

export type Collected = {
  readonly signed: readonly Pair[];
  /** Names that have different values in header and body. */
  readonly disagreeing: readonly string[];
};

/** All parameters of the body, and each OAuth parameter of the header once; the signature is left out. */
export function collectParameters(header: ReadonlyMap<string, string>, body: readonly Pair[]): Collected {
  const signed: Pair[] = [...header];
  const disagreeing: string[] = [];
  for (const pair of body) {
    const inHeader = header.get(pair[0]);
    if (inHeader === undefined) signed.push(pair);
    else if (inHeader !== pair[1]) disagreeing.push(pair[0]);
  }
  return { signed: signed.filter(([name]) => name !== 'oauth_signature'), disagreeing };
}

/** `POST`, URL and parameters (RFC 5849, 3.4.1). */
export function baseString(url: string, parameters: readonly Pair[]): string {
  const joined = normalisedParameters(parameters).map(([name, value]) => `${name}=${value}`);
  return `POST&${percentEncode(url)}&${percentEncode(joined.join('&'))}`;
}

/** The parameters encoded, sorted by the bytes of their encoded names, then values. */
export function normalisedParameters(parameters: readonly Pair[]): Pair[] {
  const encoded = parameters.map(([name, value]): Pair => [percentEncode(name), percentEncode(value)]);
  // Encoded text is ASCII, where the order of strings is the order of bytes.
  return encoded.sort((one, other) => order(one[0], other[0]) || order(one[1], other[1]));
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

/** Reads a signature as sent; undefined when it is not base64. */
export function readSignature(text: string): Buffer | undefined {
  return /^[A-Za-z0-9+/]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : undefined;
}

/** Accepts the plain key or, as the RFC asks, the encoded one; they differ only for keys with reserved characters. */
export function hmacSha1Fits(signature: Buffer, base: string, controlKey: Secret<string>): boolean {
  const plain = controlKey.reveal();
  const encoded = percentEncode(plain);
  return [plain, ...(encoded === plain ? [] : [encoded])].some((key) => {
    const expected = createHmac('sha1', `${key}&`).update(base).digest();
    return signature.length === expected.length && timingSafeEqual(signature, expected);
  });
}

/** How many bytes the signatures of an RSA key have. */
export function signatureLength({ asymmetricKeyDetails }: KeyObject): number {
  return Math.ceil((asymmetricKeyDetails?.modulusLength ?? 0) / 8);
}

export function rsaSha256Fits(signature: Buffer, base: string, publicKey: KeyObject): boolean {
  if (publicKey.asymmetricKeyType !== 'rsa') return false;
  return verify('sha256', Buffer.from(base), { key: publicKey, padding: constants.RSA_PKCS1_PADDING }, signature);
}
