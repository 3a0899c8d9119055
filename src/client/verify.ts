// Whether a callback or a final redirect comes from the gateway. The control covers status and ids only: compare the
// amount with your order's, or hand over the headers, whose signature covers every parameter of a callback.

import { timingSafeEqual } from 'node:crypto';
import { Secret } from '../domain/secret.ts';
import { webhookHeaders } from '../signing/callback.ts';
import { controlFits, readControl } from '../signing/control.ts';

/** A whole URL, its query, the body of a redirect, or the parameters as they were read. */
export type ToldParams = string | URL | URLSearchParams | Readonly<Record<string, unknown>>;

export type ToldVerdict =
  | { readonly ok: true; readonly params: Readonly<Record<string, string>>; readonly whyNot?: undefined }
  | { readonly ok: false; readonly params: Readonly<Record<string, string>>; readonly whyNot: string };

export type CallbackHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

export type VerifyOptions = {
  /** The headers of the callback. With them the signature over all parameters is checked too, and its age. */
  readonly headers?: CallbackHeaders;
  readonly now?: () => number;
};

const MAX_AGE_MS = 300_000;

/** `keys`: the control key, or all that are valid while you change it. */
export function verifyCallback(
  told: ToldParams,
  keys: string | readonly string[],
  options: VerifyOptions = {},
): ToldVerdict {
  const params = paramsOf(told);
  const whyNot = controlFault(params, secretsOf(keys)) ?? headersFault(told, secretsOf(keys), options);
  return whyNot === undefined ? { ok: true, params } : { ok: false, params, whyNot };
}

/** What the payer's browser posts to `redirect_url` at the end. It is no proof of the amount: wait for the callback. */
export function verifyRedirect(told: ToldParams, keys: string | readonly string[]): ToldVerdict {
  const params = paramsOf(told);
  const whyNot = controlFault(params, secretsOf(keys));
  return whyNot === undefined ? { ok: true, params } : { ok: false, params, whyNot };
}

function secretsOf(keys: string | readonly string[]): readonly Secret<string>[] {
  return (typeof keys === 'string' ? [keys] : keys).filter((key) => key !== '').map((key) => new Secret(key));
}

function controlFault(params: Readonly<Record<string, string>>, keys: readonly Secret<string>[]): string | undefined {
  if (keys.length === 0) return 'no control key was given';
  const missing = ['status', 'orderid', 'client_orderid', 'control'].filter((name) => !params[name]);
  if (missing.length > 0) return `${missing.join(', ')} is missing`;
  const { status = '', orderid = '', client_orderid = '', control = '' } = params;
  const sent = readControl(control);
  if (!sent) return 'control is not forty hexadecimal digits';
  // Every key is tried, so that the time tells nothing of which one fits.
  const fits = keys.filter((key) => controlFits(sent, [status, orderid, client_orderid], key));
  return fits.length > 0 ? undefined : 'control does not fit status, orderid, client_orderid and the control key';
}

function headersFault(
  told: ToldParams,
  keys: readonly Secret<string>[],
  { headers, now = Date.now }: VerifyOptions,
): string | undefined {
  if (!headers) return undefined;
  const query = queryOf(told);
  if (query === undefined) return 'the headers cover the query as it arrived: give the URL, not its parameters';
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !time || !signatures) return 'a header is missing: webhook-id, webhook-timestamp or webhook-signature';
  const seconds = /^\d{1,12}$/.test(time) ? Number(time) : Number.NaN;
  if (!(Math.abs(now() - seconds * 1000) <= MAX_AGE_MS)) return 'webhook-timestamp is more than 300 s away from now';
  const expected = webhookHeaders({ id, seconds, query }, keys)['webhook-signature']?.split(' ') ?? [];
  const fits = signatures.split(' ').filter((sent) => expected.some((one) => isSame(sent, one)));
  return fits.length > 0 ? undefined : 'webhook-signature does not fit the query and the control key';
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function headerOf(headers: CallbackHeaders, name: string): string | undefined {
  const value = headers instanceof Headers ? headers.get(name) : (headers as Record<string, unknown>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** The query as it arrived; undefined where only parameters were given. */
function queryOf(told: ToldParams): string | undefined {
  if (told instanceof URL) return told.search.slice(1);
  if (typeof told !== 'string') return undefined;
  return told.includes('?') ? told.slice(told.indexOf('?') + 1).replace(/#.*$/s, '') : told;
}

/** A name that occurs twice counts once, as the last: of equal names only the gateway's remain in what it sends. */
function paramsOf(told: ToldParams): Readonly<Record<string, string>> {
  const query = queryOf(told);
  if (query !== undefined) return Object.fromEntries(new URLSearchParams(query));
  if (told instanceof URLSearchParams) return Object.fromEntries(told);
  const texts = Object.entries(told as object).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(texts) as Record<string, string>;
}
