// A merchant's call of an operation: signs the fields as the operation asks, posts them, and reads the reply.

import { createHash, createHmac, createSign, randomUUID } from 'node:crypto';
import { isCurrency } from '../../domain/money/currency.ts';
import { readFigure } from '../../domain/money/money.ts';
import type { Secret } from '../../domain/secret.ts';
import { canonicalName } from '../../operations/form.ts';
import type { ControlAuth, OAuthMethod, Operation } from '../../operations/operation.ts';
import { MEDIA_TYPE } from '../../operations/response.ts';
import { baseString, percentEncode, signedUrl } from '../../signing/oauth1.ts';
import { Complaint } from '../complaint.ts';

/** Who calls, and where. */
export type CallingMerchant = {
  /** The address that is signed, and the one that is called. */
  readonly publicUrl: string;
  readonly calledUrl: string;
  readonly endpoint: string;
  readonly login: string;
  readonly controlKey: Secret<string> | undefined;
  /** In PEM. */
  readonly privateKey: Secret<string> | undefined;
};

export type SentFields = Readonly<Record<string, string>>;

export type SignedCall = {
  readonly url: string;
  readonly path: string;
  readonly fields: SentFields;
  readonly headers: SentFields;
};

export type HeardReply = { readonly status: number; readonly reply: Readonly<Record<string, unknown>> };

const WAIT_MS = 60_000;

export function signCall(operation: Operation, given: SentFields, who: CallingMerchant): SignedCall {
  const path = `${operation.path}/${who.endpoint}`;
  const url = `${who.calledUrl.replace(/\/$/, '')}${path}`;
  const auth = operation.auth.scheme === 'open' ? operation.auth.ifSigned : operation.auth;
  const fields = withLogin(operation, given, who.login);
  if (auth.scheme === 'control') {
    return { url, path, fields: { ...fields, control: controlOf(auth, fields, who) }, headers: {} };
  }
  const method = auth.method === 'either' ? (who.privateKey ? 'RSA-SHA256' : 'HMAC-SHA1') : auth.method;
  return { url, path, fields, headers: { authorization: authorizationOf(method, path, fields, who) } };
}

export async function postCall({ url, fields, headers }: SignedCall): Promise<HeardReply> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { accept: MEDIA_TYPE, 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams(fields).toString(),
    signal: AbortSignal.timeout(WAIT_MS),
  }).catch((cause: Error & { readonly cause?: NodeJS.ErrnoException }) => {
    const reason =
      cause.cause?.code ?? (cause.name === 'TimeoutError' ? 'no answer in time' : (cause.cause ?? cause).message);
    throw new Complaint(`${new URL(url).origin} cannot be reached: ${reason}`, { exit: 'unreachable', cause });
  });
  const text = await response.text();
  try {
    return { status: response.status, reply: JSON.parse(text) };
  } catch (cause) {
    throw new Complaint(`${url} does not answer as a gateway does (HTTP ${response.status})`, { cause });
  }
}

function withLogin({ request }: Operation, fields: SentFields, login: string): SentFields {
  const asks = Object.values(request.fields).some(({ wire }) => wire === 'login');
  return asks && fields.login === undefined ? { login, ...fields } : fields;
}

/** Hexadecimal SHA-1 over the values of the formula and the key; amounts are in minor units. */
function controlOf({ over }: ControlAuth, fields: SentFields, { endpoint, controlKey }: CallingMerchant): string {
  if (!controlKey) throw new Complaint('this operation is signed with a control key: --key-file', { exit: 'usage' });
  const byName = new Map(Object.entries(fields).map(([name, value]) => [canonicalName(name), value.trim()]));
  const values = over.map((name) => {
    if (name === 'endpointId') return endpoint;
    const value = byName.get(canonicalName(name)) ?? '';
    return name === 'amount' ? signedAmountOf(value, byName.get('currency') ?? '') : value;
  });
  return createHash('sha1')
    .update(`${values.join('')}${controlKey.reveal()}`, 'utf8')
    .digest('hex');
}

/** An amount on the command line is in major units, also without a point; what is no amount is signed as it is. */
function signedAmountOf(amount: string, currency: string): string {
  const figure = isCurrency(currency) ? readFigure(amount, currency, 'major') : undefined;
  return figure?.toString() ?? amount;
}

function authorizationOf(method: OAuthMethod, path: string, fields: SentFields, who: CallingMerchant): string {
  const oauth = {
    oauth_consumer_key: who.login,
    oauth_nonce: randomUUID(),
    oauth_signature_method: method,
    oauth_timestamp: String(Math.floor(Date.now() / 1000)),
    oauth_version: '1.0',
  };
  const base = baseString(signedUrl(who.publicUrl, path), Object.entries({ ...fields, ...oauth }));
  const pairs = Object.entries({ ...oauth, oauth_signature: oauthSignature(method, base, who) });
  return `OAuth ${pairs.map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
}

function oauthSignature(method: OAuthMethod, base: string, { controlKey, privateKey }: CallingMerchant): string {
  if (method === 'HMAC-SHA1') {
    if (!controlKey) throw new Complaint('this operation is signed with a control key: --key-file', { exit: 'usage' });
    return createHmac('sha1', `${percentEncode(controlKey.reveal())}&`)
      .update(base)
      .digest('base64');
  }
  if (!privateKey) throw new Complaint('this operation is signed with an RSA key: --private-key', { exit: 'usage' });
  return createSign('RSA-SHA256').update(base).sign(privateKey.reveal(), 'base64');
}
