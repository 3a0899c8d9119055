// A request as it is sent: its amounts written, its signature made, its body encoded. What is random or of the moment
// comes in as an argument.

import { createHmac, createSign } from 'node:crypto';
import { isCurrency } from '../domain/money/currency.ts';
import { type Notation, readFigure, writeAmount } from '../domain/money/money.ts';
import { Secret } from '../domain/secret.ts';
import { controlDigest } from '../signing/control.ts';
import { baseString, percentEncode, signedUrl } from '../signing/oauth1.ts';
import { strictSignature } from '../signing/strict.ts';
import type { SignedOperation } from './called-operation.ts';
import { ownError } from './tender-error.ts';

/** Wire names and values. */
export type ClientFields = Readonly<Record<string, string>>;

export type ClientSigner = {
  /** The address that signatures name. */
  readonly publicUrl: string;
  readonly endpoint: string;
  readonly login: string;
  readonly controlKey: string | undefined;
  /** In PEM. */
  readonly privateKey: string | undefined;
  readonly isStrict: boolean;
  readonly notation: Notation;
};

export type OAuthSigner = Pick<ClientSigner, 'publicUrl' | 'login' | 'controlKey' | 'privateKey'>;

export type SigningMoment = { readonly now: number; readonly nonce: string };

export type ReadyRequest = { readonly path: string; readonly body: string; readonly headers: ClientFields };

export function signedRequest(
  operation: SignedOperation,
  given: Readonly<Record<string, unknown>>,
  signer: ClientSigner,
  moment: SigningMoment,
): ReadyRequest {
  const path = `${operation.path}/${signer.endpoint}`;
  const fields = writtenAmounts(operation, textsOf(operation, given, signer), signer);
  const { auth } = operation;
  const signed = auth.scheme === 'control' ? { ...fields, control: control(auth.over, fields, signer) } : fields;
  const authorization = auth.scheme === 'oauth' && oauthAuthorization(auth.method, path, fields, signer, moment);
  const body = new URLSearchParams(signed).toString();
  const headers = {
    ...(authorization && { authorization }),
    ...(signer.isStrict && { 'x-signature': strict(operation, body, signer, moment) }),
  };
  return { path, body, headers };
}

/** What is undefined is left out; numbers and flags become text. */
function textsOf(
  { hasLogin }: SignedOperation,
  given: Readonly<Record<string, unknown>>,
  { login }: ClientSigner,
): Record<string, string> {
  const sent = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...(hasLogin && { login }), ...Object.fromEntries(sent.map(([name, value]) => [name, String(value)])) };
}

/** Operations without a control take amounts in major units only. */
function writtenAmounts(
  { auth, amounts, amountLists }: SignedOperation,
  fields: Record<string, string>,
  { notation }: ClientSigner,
): Record<string, string> {
  if (auth.scheme === 'control' || notation === 'major') return fields;
  const written = { ...fields };
  for (const name of amounts) if (written[name] !== undefined) written[name] = inMajor(written[name], fields.currency);
  for (const name of amountLists) {
    const list = written[name]?.split(',').map((each) => inMajor(each.trim(), fields.currency));
    if (list) written[name] = list.join(',');
  }
  return written;
}

function inMajor(text: string, currency: string | undefined): string {
  if (currency === undefined) {
    throw ownError('amount-without-currency', `The amount ${text} is in minor units, of no currency that was sent`);
  }
  const minor = figureOf(text, currency, 'minor');
  return minor === undefined ? text : writeAmount({ minor, currency }, 'major');
}

/** Undefined when it is no amount, which the gateway then says. */
function figureOf(text: string, currency: string, notation: Notation): bigint | undefined {
  return isCurrency(currency) ? readFigure(text, currency, notation) : undefined;
}

function control(
  over: readonly string[],
  fields: ClientFields,
  { endpoint, controlKey, notation }: ClientSigner,
): string {
  const values = over.map((name) => {
    if (name === 'endpointId') return endpoint.replace('group/', '');
    const text = fields[name] ?? '';
    return name === 'amount' ? String(figureOf(text, fields.currency ?? '', notation) ?? text) : text;
  });
  return controlDigest(values, keyOf(controlKey, 'controlKey')).toString('hex');
}

/** The header of a request that is signed by OAuth 1.0a. */
export function oauthAuthorization(
  asked: 'HMAC-SHA1' | 'RSA-SHA256' | 'either',
  path: string,
  fields: ClientFields,
  { publicUrl, login, controlKey, privateKey }: OAuthSigner,
  { now, nonce }: SigningMoment,
): string {
  const method = asked !== 'either' ? asked : privateKey === undefined ? 'HMAC-SHA1' : 'RSA-SHA256';
  const oauth = {
    oauth_consumer_key: login,
    oauth_nonce: nonce,
    oauth_signature_method: method,
    oauth_timestamp: String(Math.floor(now / 1000)),
    oauth_version: '1.0',
  };
  const base = baseString(signedUrl(publicUrl, path), Object.entries({ ...fields, ...oauth }));
  const signature = method === 'HMAC-SHA1' ? hmacOf(base, controlKey) : rsaOf(base, privateKey);
  const pairs = Object.entries({ ...oauth, oauth_signature: signature });
  return `OAuth ${pairs.map(([name, value]) => `${name}="${percentEncode(value)}"`).join(', ')}`;
}

function hmacOf(base: string, controlKey: string | undefined): string {
  if (controlKey === undefined) throw missing('controlKey');
  return createHmac('sha1', `${percentEncode(controlKey)}&`)
    .update(base)
    .digest('base64');
}

function rsaOf(base: string, privateKey: string | undefined): string {
  if (privateKey === undefined) throw missing('privateKey');
  return createSign('RSA-SHA256').update(base).sign(privateKey, 'base64');
}

function strict(
  { name }: SignedOperation,
  body: string,
  { endpoint, controlKey }: ClientSigner,
  { now }: SigningMoment,
): string {
  const seconds = String(Math.floor(now / 1000));
  const subject = { operation: name, pathId: endpoint.replace('group/', ''), body: Buffer.from(body) };
  return `t=${seconds},v1=${strictSignature(seconds, subject, keyOf(controlKey, 'controlKey')).toString('hex')}`;
}

function keyOf(key: string | undefined, name: string): Secret<string> {
  if (key === undefined) throw missing(name);
  return new Secret(key);
}

function missing(name: string) {
  return ownError('no-key', `This operation is signed with ${name}, which TenderClient was not given`);
}
