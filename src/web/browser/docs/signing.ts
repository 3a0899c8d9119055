// Signs a request in the browser as a merchant's shop would, and keeps what was signed, so that a reader can compare.
// Web browsers offer these functions on this machine and under https only.

export type SigningKeys = { readonly login: string; readonly controlKey: string; readonly privateKey?: string };

export type SignedTry = {
  readonly url: string;
  readonly fields: readonly (readonly [string, string])[];
  readonly authorization?: string;
  /** What the signature is made of, with a word in the place of the key. */
  readonly signed: string;
};

type ToSign = {
  readonly url: string;
  readonly endpointId: string;
  readonly fields: readonly (readonly [string, string])[];
};

/** Currencies whose amounts have no decimals here; all others of the demo have two. */
const WITHOUT_DECIMALS = new Set(['JPY', 'KRW', 'VND', 'CLP', 'ISK']);

/** The control over the values that `over` names, in that order. */
export async function signedByControl(
  { url, endpointId, fields }: ToSign,
  over: readonly string[],
  { controlKey }: SigningKeys,
): Promise<SignedTry> {
  const sent = new Map(fields);
  const value = (name: string) => {
    if (name === 'endpointId') return endpointId;
    const text = sent.get(name) ?? '';
    return name === 'amount' ? minorUnits(text, sent.get('currency') ?? '') : text;
  };
  const values = over.map(value).join('');
  const digest = await crypto.subtle.digest('SHA-1', bytes(values + controlKey));
  return {
    url,
    fields: [...fields, ['control', hexadecimal(digest)]],
    signed: `SHA-1 of:\n${values}<control key>\n\n${over.map((name) => `${name} = ${value(name)}`).join('\n')}`,
  };
}

/** "10.42" is 1042; what has no point is taken as minor units already. */
function minorUnits(amount: string, currency: string): string {
  const [whole = '', decimals] = amount.split('.');
  if (decimals === undefined) return whole;
  const digits = WITHOUT_DECIMALS.has(currency) ? 0 : 2;
  return `${whole}${decimals.padEnd(digits, '0').slice(0, digits)}`.replace(/^0+(?=\d)/, '');
}

/** OAuth 1.0a over the body and the header's own parameters (RFC 5849, section 3.4). */
export async function signedByOAuth(
  { url, fields }: ToSign,
  method: string,
  { login, controlKey, privateKey = '' }: SigningKeys,
): Promise<SignedTry> {
  const own: (readonly [string, string])[] = [
    ['oauth_consumer_key', login],
    ['oauth_nonce', crypto.randomUUID()],
    ['oauth_signature_method', method],
    ['oauth_timestamp', String(Math.floor(Date.now() / 1000))],
    ['oauth_version', '1.0'],
  ];
  const sorted = [...own, ...fields]
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
    .sort()
    .join('&');
  const base = ['POST', encoded(url), encoded(sorted)].join('&');
  const raw = method === 'RSA-SHA256' ? await rsa(base, privateKey) : await hmac(base, `${encoded(controlKey)}&`);
  const signature = btoa(String.fromCharCode(...new Uint8Array(raw)));
  const header = [...own, ['oauth_signature', signature] as const]
    .map(([name, value]) => `${name}="${encoded(value)}"`)
    .join(', ');
  return { url, fields, authorization: `OAuth ${header}`, signed: `${method} of:\n${base}` };
}

async function hmac(text: string, key: string): Promise<ArrayBuffer> {
  const imported = await crypto.subtle.importKey('raw', bytes(key), { name: 'HMAC', hash: 'SHA-1' }, false, ['sign']);
  return crypto.subtle.sign('HMAC', imported, bytes(text));
}

async function rsa(text: string, pem: string): Promise<ArrayBuffer> {
  const inside = atob(pem.replace(/-----[A-Z ]+-----|\s/g, ''));
  const der = Uint8Array.from(inside, (character) => character.charCodeAt(0));
  const algorithm = { name: 'RSASSA-PKCS1-v1_5', hash: 'SHA-256' };
  const imported = await crypto.subtle.importKey('pkcs8', der, algorithm, false, ['sign']);
  return crypto.subtle.sign(algorithm.name, imported, bytes(text));
}

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}

/** Percent-encoding as OAuth asks for it: stricter than the browser's own. */
function encoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
}

function hexadecimal(buffer: ArrayBuffer): string {
  return [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}
