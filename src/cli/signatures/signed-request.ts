// A request signed step by step, each step as it can be shown: keys are masked, and so are cards that are not published
// for tests.

import { createHmac, createSign, randomUUID } from 'node:crypto';
import { normaliseCardNumber } from '../../domain/card/card.ts';
import { exponentOf, isCurrency } from '../../domain/money/currency.ts';
import type { Secret } from '../../domain/secret.ts';
import { controlReadings, expectedParts } from '../../http/authenticate-control.ts';
import { withoutHidden } from '../../http/authenticate-oauth.ts';
import { canonicalName, isSecretName } from '../../operations/form.ts';
import type { ControlAuth, OAuthAuth, OAuthMethod } from '../../operations/operation.ts';
import { MEDIA_TYPE } from '../../operations/response.ts';
import { controlDigest, KEY_PLACEHOLDER } from '../../signing/control.ts';
import { strictString } from '../../signing/explained-strict.ts';
import { baseString, normalisedParameters, type Pair, percentEncode } from '../../signing/oauth1.ts';
import { strictSignature } from '../../signing/strict.ts';
import { PUBLISHED_CARDS } from '../../threeds/index.ts';
import { Complaint } from '../complaint.ts';
import { encodedValue, writtenCurl } from './curl-command.ts';
import type { GivenKeys } from './given-keys.ts';
import type { GivenRequest } from './given-request.ts';

export type SigningStep = { readonly says: string; readonly lines: readonly string[] };

export type ExplainedCall = {
  readonly operation: string;
  readonly scheme: 'control' | OAuthMethod;
  readonly url: string;
  readonly steps: readonly SigningStep[];
  readonly signature: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The body as it is sent. */
  readonly body: string;
  readonly curl: string;
  /** Whether secrets are left out of what is shown. */
  readonly isMasked: boolean;
};

export type SigningWishes = {
  readonly method?: OAuthMethod | undefined;
  readonly isStrict: boolean;
  readonly now: number;
  readonly nonce?: string | undefined;
};

type Signed = Pick<ExplainedCall, 'scheme' | 'steps' | 'signature' | 'headers'> & { readonly pairs: readonly Pair[] };

export function signedCall(request: GivenRequest, keys: GivenKeys, wishes: SigningWishes): ExplainedCall {
  const { auth, operation, url } = request;
  const signed = auth.scheme === 'control' ? withControl(auth, request, keys) : withOAuth(auth, request, keys, wishes);
  const isMasked = hasSecrets(signed.pairs);
  const body = signed.pairs.map(([name, value]) => `${encodedValue(name)}=${encodedValue(value)}`).join('&');
  const strict = wishes.isStrict ? withStrict(request, body, { keys, now: wishes.now, isMasked }) : undefined;
  const headers = { Accept: MEDIA_TYPE, ...signed.headers, ...strict?.headers };
  return {
    operation: operation.name,
    scheme: signed.scheme,
    url,
    steps: [...signed.steps, ...(strict?.steps ?? [])],
    signature: signed.signature,
    headers,
    body,
    curl: writtenCurl({ url, headers, pairs: shownPairs(signed.pairs) }),
    isMasked,
  };
}

function withControl(auth: ControlAuth, request: GivenRequest, keys: GivenKeys): Signed {
  const key = needed(keys.control);
  const { form, pathId, login, pairs } = request;
  const needsLogin = auth.over.includes('login') && !form.parameters.has('login');
  if (needsLogin && login === undefined) throw new Complaint('the control covers the login: name it by --login');
  const more: Pair[] = needsLogin ? [['login', login as string]] : [];
  const parameters = new Map([...more, ...form.parameters]);
  const raw = new Map([...more, ...form.raw]);
  const values = { pathId, endpoint: undefined, parameters, raw };
  const parts = expectedParts(auth, values);
  const control = controlDigest(
    parts.map(({ value }) => value),
    key,
  ).toString('hex');
  const longest = Math.max(...parts.map(({ name }) => name.length));
  const optional = auth.over.filter((name) => !parts.some((part) => part.name === name));
  return {
    scheme: 'control',
    signature: control,
    headers: {},
    pairs: [...more, ...pairs.filter(([name]) => canonicalName(name) !== 'control'), ['control', control]],
    steps: [
      {
        says: `The values of formula ${auth.formula}, in this order:`,
        lines: parts.map(({ name, value }) => `${name.padEnd(longest)}  ${value || '(empty)'}`),
      },
      ...amountStep(auth, values),
      ...(optional.length > 0
        ? [{ says: `Left out, because they are not sent: ${optional.join(', ')}.`, lines: [] }]
        : []),
      {
        says: 'Joined, with nothing between them and the control key at the end:',
        lines: [parts.map(({ value }) => value).join('') + KEY_PLACEHOLDER],
      },
      { says: 'Its SHA-1 in hexadecimal digits is the field control:', lines: [control] },
    ],
  };
}

/** An amount enters in minor units, whichever of two things it means. */
function amountStep(auth: ControlAuth, values: Parameters<typeof controlReadings>[1]): SigningStep[] {
  const amount = values.parameters.get('amount');
  const currency = values.parameters.get('currency') ?? '';
  if (!auth.over.includes('amount') || amount === undefined) return [];
  if (!isCurrency(currency))
    return [{ says: `The currency ${currency || '(none)'} is unknown: the amount has no meaning.`, lines: [] }];
  const [first, second] = controlReadings(auth, values);
  const decimals = exponentOf(currency);
  const isRead = first !== undefined && first.notation === 'minor' && second !== undefined && decimals > 0;
  if (isRead) {
    const says = `amount=${amount} is signed as minor units. For ${amount}.${'0'.repeat(decimals)} ${currency} send that, with its point.`;
    return [{ says, lines: [] }];
  }
  return [{ says: `The amount is in minor units of ${currency}, which has ${decimals} decimals.`, lines: [] }];
}

function withOAuth(auth: OAuthAuth, request: GivenRequest, keys: GivenKeys, wishes: SigningWishes): Signed {
  const { login, pairs, url } = request;
  const method =
    auth.method === 'either' ? (wishes.method ?? (keys.privateKey ? 'RSA-SHA256' : 'HMAC-SHA1')) : auth.method;
  if (wishes.method !== undefined && wishes.method !== method)
    throw new Complaint(`this operation takes ${method} only`);
  if (login === undefined) throw new Complaint('oauth_consumer_key is the login: name it by --login');
  const oauth: Pair[] = [
    ['oauth_consumer_key', login],
    ['oauth_nonce', wishes.nonce ?? randomUUID()],
    ['oauth_signature_method', method],
    ['oauth_timestamp', String(Math.floor(wishes.now / 1000))],
    ['oauth_version', '1.0'],
  ];
  const signed = [...pairs, ...oauth];
  const base = baseString(url, signed);
  const signature = oauthSignature(method, base, keys);
  const header = `OAuth ${[...oauth, ['oauth_signature', signature] as const].map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
  const shown = hasSecrets(pairs) ? withoutHidden(signed) : signed;
  const normalised = normalisedParameters(shown).map(([name, value]) => `${name}=${value}`);
  return {
    scheme: method,
    signature,
    headers: { Authorization: header },
    pairs,
    steps: [
      {
        says: 'The parameters of body and header, each name and value percent-encoded, sorted by name:',
        lines: normalised,
      },
      { says: 'The URL, without a default port and without a query:', lines: [url] },
      {
        says: 'The base string: POST, the encoded URL and the parameters joined by & and encoded once more:',
        lines: [baseString(url, shown)],
      },
      keyStep(method, keys),
      { says: `Its signature by ${method}, in Base64:`, lines: [signature] },
      { says: 'The header:', lines: [`Authorization: ${header}`] },
    ],
  };
}

function keyStep(method: OAuthMethod, { privateKey }: GivenKeys): SigningStep {
  if (method === 'HMAC-SHA1') {
    return { says: 'The key: the control key, an ampersand, and nothing behind it:', lines: [`${KEY_PLACEHOLDER}&`] };
  }
  const bits = privateKey?.asymmetricKeyDetails?.modulusLength;
  return { says: `The key: the private key, RSA of ${bits} bits, with the padding of PKCS #1 v1.5.`, lines: [] };
}

function oauthSignature(method: OAuthMethod, base: string, keys: GivenKeys): string {
  if (method === 'HMAC-SHA1') {
    return createHmac('sha1', `${percentEncode(needed(keys.control).reveal())}&`)
      .update(base)
      .digest('base64');
  }
  if (!keys.privateKey) {
    throw new Complaint('name the private key by --rsa-key; with --demo it is in the data folder, which --data names');
  }
  return createSign('RSA-SHA256').update(base).sign(keys.privateKey, 'base64');
}

function withStrict(
  { operation, pathId }: GivenRequest,
  body: string,
  { keys, now, isMasked }: { readonly keys: GivenKeys; readonly now: number; readonly isMasked: boolean },
) {
  const seconds = String(Math.floor(now / 1000));
  const subject = { operation: operation.name, pathId, body: Buffer.from(body) };
  const signature = strictSignature(seconds, subject, needed(keys.control)).toString('hex');
  const header = `t=${seconds},v1=${signature}`;
  const shown = isMasked ? { ...subject, body: Buffer.from('<the body as it is sent>') } : subject;
  return {
    headers: { 'X-Signature': header },
    steps: [
      {
        says: 'For strict signing: time, operation, id and the body as it is sent, joined by points:',
        lines: [strictString(seconds, shown)],
      },
      {
        says: 'Its HMAC-SHA256 under the control key, in hexadecimal digits, makes the header:',
        lines: [`X-Signature: ${header}`],
      },
    ],
  };
}

function needed(key: Secret<string> | undefined): Secret<string> {
  if (key) return key;
  throw new Complaint('name the control key by --key-file, --key-env or --key-stdin, or use --demo');
}

const CARD_FIELDS = /card_(?:number|no)$/;

/** Whether something of a request must not be shown: a card that is not published, or another secret. */
export function hasSecrets(pairs: readonly Pair[]): boolean {
  const secret = pairs.filter(([name]) => isHidden(name));
  const cards = secret.filter(([name]) => CARD_FIELDS.test(canonicalName(name)));
  const isCardless = secret.every(([name]) => CARD_FIELDS.test(canonicalName(name)) || canonicalName(name) === 'cvv2');
  return !isCardless || cards.some(([, value]) => !PUBLISHED_CARDS.has(normaliseCardNumber(value)));
}

function isHidden(name: string): boolean {
  return canonicalName(name) !== 'control' && isSecretName(canonicalName(name));
}

export function shownPairs(pairs: readonly Pair[]): readonly Pair[] {
  return hasSecrets(pairs) ? pairs.map((pair) => (isHidden(pair[0]) ? [pair[0], '***'] : pair)) : pairs;
}
