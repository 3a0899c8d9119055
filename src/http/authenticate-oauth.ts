// A request signed with OAuth 1.0a: the consumer key is the login, a nonce is taken once. Faults of the request itself
// and of its time are told at once; faults that depend on the merchant, above all on its nonces, only when the
// signature fits. So a stranger learns nothing, and uses no nonce up.

import { type Fault, fault } from '../domain/errors.ts';
import { type ControlKey, isValidAt, type Merchant, maySign, type PublicKey } from '../domain/merchant/merchant.ts';
import { aheadText } from '../domain/time/clock-ahead.ts';
import { canonicalName, isSecretName } from '../operations/form.ts';
import type { OAuthAuth, OAuthMethod } from '../operations/operation.ts';
import type { LiveConfiguration } from '../processing/node/live-configuration.ts';
import { type Nonces, OAUTH_WINDOW_MS } from '../processing/requests/nonces.ts';
import type { ExplainedSignature } from '../signing/explained-control.ts';
import { explainOAuth } from '../signing/explained-oauth.ts';
import { nobodysControlKey, nobodysPublicKey } from '../signing/nobodys-keys.ts';
import {
  baseString,
  collectParameters,
  hmacSha1Fits,
  type Pair,
  readSignature,
  rsaSha256Fits,
  signatureLength,
} from '../signing/oauth1.ts';
import { readOAuthHeader } from '../signing/oauth1-header.ts';
import { unknownLogin } from './authenticate-control.ts';
import type { Authenticated, NotAuthenticated } from './authenticated.ts';

export type OAuthRequest = {
  readonly authorization: string | undefined;
  /** The URLs that may have been signed, the public one first. */
  readonly urls: readonly [string, ...string[]];
  /** The body's parameters as sent. */
  readonly sent: readonly Pair[];
  /** A login in the body. */
  readonly login: string | undefined;
  readonly now: number;
  /** How far `now` is ahead of the true time, where that may be told. */
  readonly aheadMs?: number | undefined;
  readonly operation: string;
  /** Whether a wrong signature may be explained. */
  readonly isExplained: boolean;
};

export type OAuthParts = { readonly configuration: LiveConfiguration; readonly nonces: Nonces };

const REQUIRED = ['oauth_consumer_key', 'oauth_signature_method', 'oauth_signature', 'oauth_timestamp', 'oauth_nonce'];
const NONCE = /^[!-~]{1,128}$/;

export async function authenticateOAuth(
  auth: OAuthAuth,
  request: OAuthRequest,
  { configuration, nonces }: OAuthParts,
): Promise<Authenticated | NotAuthenticated> {
  const { urls, now } = request;
  const read = readOAuthRequest(auth, request);
  if ('faults' in read) return read;
  const { header, signed } = read;
  const get = (name: string) => header.get(name) as string;
  const merchant = configuration.byLogin(get('oauth_consumer_key'));
  const method = get('oauth_signature_method') as OAuthMethod;
  const trial = { method, sent: get('oauth_signature'), now, most: configuration.mostKeys };
  const fitting = findFitting(urls, (url) => fittingKey(merchant, trial, baseString(url, signed)));
  const isLimited = fitting !== undefined && !maySign(fitting, request.operation);
  if (!merchant || !fitting || isLimited) {
    const name = isLimited && request.isExplained ? 'operation-not-allowed' : 'invalid-control-code';
    const unknown = unknownLogin('oauth_consumer_key', header, configuration);
    return { faults: [fault(name, { field: 'oauth_signature' }), ...unknown] };
  }
  const saidAt = Number(get('oauth_timestamp')) * 1000;
  if (!(await nonces.take({ merchantId: merchant.merchantId, saidAt, nonce: get('oauth_nonce') }))) {
    return { faults: [fault('oauth-nonce-used', { field: 'oauth_nonce' })] };
  }
  return { merchant, notation: 'major', signed: true, keyId: fitting.keyId, control: undefined };
}

type OAuthReading = { readonly header: ReadonlyMap<string, string>; readonly signed: readonly Pair[] };

/** What the header says and what it signs, or all that is wrong with it, whoever sent it. */
export function readOAuthRequest(
  auth: OAuthAuth,
  request: Pick<OAuthRequest, 'authorization' | 'sent' | 'login' | 'now' | 'aheadMs'>,
): OAuthReading | NotAuthenticated {
  const { authorization, sent } = request;
  if (authorization === undefined) return malformed('it is missing');
  const header = readOAuthHeader(authorization);
  if ('malformed' in header) return malformed(header.malformed);
  const missing = REQUIRED.filter((name) => !header.get(name));
  if (missing.length > 0) return malformed(`${missing.join(', ')} must be in it`);
  const { signed, disagreeing } = collectParameters(header, sent);
  const [first, ...more] = [...oauthFaults(auth, header, request), ...contradictions(header, disagreeing, request)];
  return first ? { faults: [first, ...more] } : { header, signed };
}

/** The base string of the request, without card data; numbers of published test cards may be shown. */
export function expectedBaseString(
  { authorization = '', urls: [url], sent }: OAuthRequest,
  published: ReadonlySet<string>,
): string {
  const header = readOAuthHeader(authorization);
  const { signed } = collectParameters('malformed' in header ? new Map() : header, sent);
  return baseString(url, withoutHidden(signed, published));
}

/** Why a signature is wrong, as far as that can be found out with the keys of the merchant it should be of. */
export function explainedOAuth(
  { authorization = '', urls, sent, now, operation }: OAuthRequest,
  configuration: LiveConfiguration,
): ExplainedSignature | undefined {
  const header = readOAuthHeader(authorization);
  if ('malformed' in header) return undefined;
  const merchant = configuration.byLogin(header.get('oauth_consumer_key') ?? '');
  const isUsable = (key: ControlKey | PublicKey) => isValidAt(key, now) && maySign(key, operation);
  return explainOAuth({
    method: header.get('oauth_signature_method') as OAuthMethod,
    came: header.get('oauth_signature') ?? '',
    urls,
    signed: collectParameters(header, sent).signed,
    controlKeys: (merchant?.controlKeys ?? []).map((one) => ({ key: one.key, isUsable: isUsable(one) })),
    publicKeys: (merchant?.publicKeys ?? []).map((one) => ({ key: one.key, isUsable: isUsable(one) })),
  });
}

function malformed(hint: string): NotAuthenticated {
  return { faults: [fault('authorization-malformed', { field: 'Authorization', hint })] };
}

function oauthFaults(
  { method }: OAuthAuth,
  header: ReadonlyMap<string, string>,
  { now, aheadMs = 0 }: Pick<OAuthRequest, 'now' | 'aheadMs'>,
): Fault[] {
  const faults: Fault[] = [];
  const methods = method === 'either' ? ['HMAC-SHA1', 'RSA-SHA256'] : [method];
  if (!methods.includes(header.get('oauth_signature_method') as string)) {
    faults.push(fault('oauth-method-mismatch', { field: 'oauth_signature_method', hint: methods.join(' or ') }));
  }
  const timestamp = header.get('oauth_timestamp') as string;
  if (!/^\d{1,12}$/.test(timestamp) || Math.abs(now - Number(timestamp) * 1000) > OAUTH_WINDOW_MS) {
    const hint = [Math.floor(now / 1000), aheadText(aheadMs)].filter((part) => part !== undefined).join(': ');
    faults.push(fault('oauth-timestamp-refused', { field: 'oauth_timestamp', hint }));
  }
  if (!NONCE.test(header.get('oauth_nonce') as string)) {
    const hint = 'oauth_nonce must be 1 to 128 printable ASCII characters';
    faults.push(fault('authorization-malformed', { field: 'oauth_nonce', hint }));
  }
  return faults;
}

function contradictions(
  header: ReadonlyMap<string, string>,
  disagreeing: readonly string[],
  { sent, login }: Pick<OAuthRequest, 'sent' | 'login'>,
): Fault[] {
  const faults = disagreeing.map((field) =>
    fault('parameter-contradicts', { field, hint: 'header Authorization gives it another value' }),
  );
  const version = header.get('oauth_version') ?? sent.find(([name]) => name === 'oauth_version')?.[1] ?? '1.0';
  if (version !== '1.0') {
    faults.push(fault('authorization-malformed', { field: 'oauth_version', hint: 'oauth_version must be 1.0' }));
  }
  if (login !== undefined && login !== header.get('oauth_consumer_key')) {
    faults.push(fault('parameter-contradicts', { field: 'login', hint: 'oauth_consumer_key names another' }));
  }
  return faults;
}

type Trial = {
  readonly method: OAuthMethod;
  readonly sent: string;
  readonly now: number;
  /** How many keys a signature is tried on that fits none. */
  readonly most: LiveConfiguration['mostKeys'];
};

/**
 * The key that made the signature. Keys overlap while they are changed: any that is valid now will do. A wrong
 * signature is tried on as many keys for everybody, whoever exists and however many keys they have.
 */
function fittingKey(
  merchant: Merchant | undefined,
  { method, sent, now, most }: Trial,
  base: string,
): ControlKey | PublicKey | undefined {
  const signature = readSignature(sent);
  if (!signature) return undefined;
  if (method === 'HMAC-SHA1') {
    const keys = (merchant?.controlKeys ?? []).filter((one) => isValidAt(one, now));
    const fitting = keys.find(({ key }) => hmacSha1Fits(signature, base, key));
    for (let tried = keys.length; !fitting && tried < most.control; tried++) {
      hmacSha1Fits(signature, base, nobodysControlKey);
    }
    return fitting;
  }
  // A key of another length cannot have made it, and is not tried.
  const keys = (merchant?.publicKeys ?? []).filter(
    (one) => isValidAt(one, now) && signatureLength(one.key) === signature.length,
  );
  const fitting = keys.find(({ key }) => rsaSha256Fits(signature, base, key));
  for (let tried = keys.length; !fitting && tried < most.rsa; tried++) {
    rsaSha256Fits(signature, base, nobodysPublicKey(signature.length));
  }
  return fitting;
}

/** The first of the texts' results that is one. */
function findFitting<T>(texts: readonly string[], find: (text: string) => T | undefined): T | undefined {
  for (const text of texts) {
    const found = find(text);
    if (found) return found;
  }
  return undefined;
}

/** Stands for card numbers, security codes and the like where a signed string is shown: replies repeat none of them. */
const HIDDEN = '~hidden~';
const NONE: ReadonlySet<string> = new Set();

/** Hides secret fields even if the operation does not know them: they may have been sent to the wrong place. */
export function withoutHidden(pairs: readonly Pair[], published: ReadonlySet<string> = NONE): Pair[] {
  return pairs.map((pair) => {
    const isShown = !isSecretName(canonicalName(pair[0])) || published.has(pair[1]);
    return isShown ? pair : [pair[0], HIDDEN];
  });
}
