// Whether a callback or a final redirect comes from the gateway, and is about the order you expect. The control covers
// status and ids only, with nothing between them: that of order 5001 and your order 10 fits order 500 and your order
// 110 as well. The headers of a callback sign every parameter of it; a redirect has none.

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

/** The order as you stored it: `orderid` is what the request that made it answered as `paynet-order-id`. */
export type ExpectedOrder = {
  readonly orderid: string;
  readonly client_orderid?: string;
  readonly amount?: string;
  readonly currency?: string;
};

export type VerifyOptions = {
  /** The headers of the callback: they sign all its parameters, and its age. Without them it can be forged. */
  readonly headers: CallbackHeaders | 'not checked';
  /** The order that it must be about, where you know which. */
  readonly expected?: ExpectedOrder | 'not checked';
  readonly now?: () => number;
};

export type RedirectOptions = {
  /** The order of the payer who came back. */
  readonly expected: ExpectedOrder | 'not checked';
};

const MAX_AGE_MS = 300_000;
const AGE_FAULT =
  'webhook-timestamp is more than 300 s away from now; if the clock of your sandbox was put forward, ' +
  'give its time as the option now, or start a sandbox in a new data folder';

/** `keys`: the control key, or all that are valid while you change it. */
export function verifyCallback(
  told: ToldParams,
  keys: string | readonly string[],
  options: VerifyOptions,
): ToldVerdict {
  const params = paramsOf(told);
  const secrets = secretsOf(keys);
  const { expected = 'not checked' } = options ?? {};
  const whyNot =
    controlFault(params, secrets) ?? headersFault(told, secrets, options) ?? differenceFrom(expected, params);
  return whyNot === undefined ? { ok: true, params } : { ok: false, params, whyNot };
}

/**
 * What the payer's browser posts to `redirect_url` at the end. The browser's word is no proof of the amount, and payers
 * can move digits from one id to the other: compare `orderid` with the one you stored (`expected`), and ask STATUS or
 * wait for the callback before you deliver anything.
 */
export function verifyRedirect(
  told: ToldParams,
  keys: string | readonly string[],
  options: RedirectOptions,
): ToldVerdict {
  const params = paramsOf(told);
  const whyNot = controlFault(params, secretsOf(keys)) ?? differenceFrom(options?.expected, params);
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

/** Names what differs and no value: whoever forged it may read the answer. */
function differenceFrom(
  expected: ExpectedOrder | 'not checked' | undefined,
  params: Readonly<Record<string, string>>,
): string | undefined {
  if (expected === 'not checked') return undefined;
  if (!expected) return "expected was not given: give the order as you stored it, or 'not checked'";
  const wanted: [string, unknown][] = Object.entries({ ...expected, orderid: expected.orderid });
  const [noText] = wanted.find(([, value]) => typeof value !== 'string' || value === '') ?? [];
  if (noText !== undefined) return `expected.${noText} is not a text`;
  const differing = wanted.filter(([name, value]) => !isExpected(name, String(value), params[name] ?? ''));
  if (differing.length === 0) return undefined;
  const names = differing.map(([name]) => name).join(', ');
  return `${names} ${differing.length === 1 ? 'differs' : 'differ'} from the expected order`;
}

function isExpected(name: string, wanted: string, told: string): boolean {
  return name === 'amount' ? plainAmount(wanted) === plainAmount(told) : wanted === told;
}

/** Without the zeros that change nothing: 10.50 is 10.5. */
function plainAmount(amount: string): string {
  return /^\d+\.\d+$/.test(amount) ? amount.replace(/\.?0+$/, '') : amount;
}

function headersFault(told: ToldParams, keys: readonly Secret<string>[], options: VerifyOptions): string | undefined {
  const { headers, now = Date.now } = options ?? {};
  if (headers === 'not checked') return undefined;
  if (!headers) return "headers were not given: give those of the request, or 'not checked'";
  const query = queryOf(told);
  if (query === undefined) return 'the headers cover the query as it arrived: give the URL, not its parameters';
  const [id, time, signatures] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) =>
    headerOf(headers, name),
  );
  if (!id || !time || !signatures) return 'a header is missing: webhook-id, webhook-timestamp or webhook-signature';
  const seconds = /^\d{1,12}$/.test(time) ? Number(time) : Number.NaN;
  if (!(Math.abs(now() - seconds * 1000) <= MAX_AGE_MS)) return AGE_FAULT;
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
