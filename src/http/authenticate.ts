// Finds out who asks. Nothing in a request is believed before this; a wrong login, key or signature gets the same
// reply. An operation names its scheme; one that names none may be called unsigned, and a signature sent anyway is
// checked.

import { fault, invariant, Refusal, refuse } from '../domain/errors.ts';
import { exponentOf, isCurrency } from '../domain/money/currency.ts';
import { type Money, writeAmount } from '../domain/money/money.ts';
import type { Parameters } from '../operations/form.ts';
import type { Auth, ControlAuth, OAuthAuth, Operation } from '../operations/operation.ts';
import type { LiveConfiguration, PathTarget } from '../processing/node/live-configuration.ts';
import type { Nonces } from '../processing/requests/nonces.ts';
import { originOf, signedUrls } from '../signing/oauth1.ts';
import { endpointFor, isSandbox } from './addressed-endpoint.ts';
import { authenticateControl, type ControlRequest, expectedControlString, isOwnLogin } from './authenticate-control.ts';
import { authenticateOAuth, expectedBaseString, type OAuthRequest } from './authenticate-oauth.ts';
import type { Authenticated, NotAuthenticated } from './authenticated.ts';
import type { FormBody } from './form-body.ts';

export type ArrivedRequest = {
  readonly operation: Operation;
  readonly pathId: string;
  /** The path after the public base URL, as it is specified. */
  readonly path: string;
  /** The scheme, host and whole path that the client called. */
  readonly called: CalledAddress;
  readonly target: PathTarget | undefined;
  readonly form: FormBody;
  readonly authorization: string | undefined;
  readonly now: number;
};

type CalledAddress = {
  readonly scheme: 'http' | 'https';
  readonly host: string | undefined;
  readonly path: string;
};

export type SignatureParts = {
  readonly configuration: LiveConfiguration;
  readonly nonces: Nonces;
  /** The public address of the interface, as merchants call it. */
  readonly baseUrl: () => string;
  /** The order that a request names: a control may cover its own amount, and its endpoint says how that is signed. */
  readonly orderOf: (merchantId: number, orderId: string) => Promise<SignedOrder | undefined>;
};

export type SignedOrder = { readonly amount: Money; readonly endpointId: number };

/** The scheme this request must satisfy, or none: an open operation, called without a signature. */
export type Scheme = ControlAuth | OAuthAuth | 'unsigned';

export function schemeOf(auth: Auth, { parameters }: FormBody, authorization: string | undefined): Scheme {
  if (auth.scheme !== 'open') return auth;
  const isSigned = auth.ifSigned.scheme === 'control' ? parameters.has('control') : authorization !== undefined;
  return isSigned ? auth.ifSigned : 'unsigned';
}

/** What is wrong with an unsigned request where a signature is demanded: payouts need OAuth, payments a control. */
export function signatureMissing(auth: Auth): Refusal {
  const demanded = auth.scheme === 'open' ? auth.ifSigned : auth;
  if (demanded.scheme !== 'control') {
    return refuse('authorization-malformed', { hint: 'this end point takes signed forms only' });
  }
  return new Refusal(
    fault('invalid-control-code', { field: 'control' }),
    fault('parameter-required', { field: 'control' }),
  );
}

export async function authenticate(
  scheme: Scheme,
  request: ArrivedRequest,
  parts: SignatureParts,
): Promise<Authenticated | NotAuthenticated> {
  const { configuration, nonces } = parts;
  if (scheme === 'unsigned') return unsigned(request.form.parameters, request.target, configuration);
  if (scheme.scheme === 'control') return withControl(scheme, await controlRequest(scheme, request, parts), parts);
  return authenticateOAuth(scheme, oauthRequest(request, parts), { configuration, nonces });
}

/** The text that a right signature of this request would cover, without keys and card data. */
export async function expectedString(request: ArrivedRequest, parts: SignatureParts): Promise<string> {
  const { auth } = request.operation;
  const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
  return scheme.scheme === 'control'
    ? expectedControlString(scheme, await controlRequest(scheme, request, parts))
    : expectedBaseString(oauthRequest(request, parts));
}

async function controlRequest(
  scheme: ControlAuth,
  request: ArrivedRequest,
  parts: SignatureParts,
): Promise<ControlRequest> {
  const { operation, target, pathId, form, now } = request;
  const { parameters, raw } = form;
  const { configuration } = parts;
  const addressed = target && endpointFor(target, operation, parameters, configuration);
  // Only amounts without decimals are signed in two ways, so other requests need not wait for their order.
  const currency = parameters.get('currency') ?? '';
  const order =
    isCurrency(currency) && exponentOf(currency) === 0 ? await orderOf(scheme, parameters, parts) : undefined;
  const endpoint = order ? configuration.endpoint(order.endpointId) : addressed;
  return { pathId, target, endpoint, parameters, raw, now };
}

/**
 * The order whose money a control moves. Its formula names no endpoint, so the order's own one decides how amounts are
 * signed: otherwise a control for 10 yen, signed by hundredths, would stand for 1000 yen at another endpoint.
 */
async function orderOf(
  { over }: ControlAuth,
  parameters: Parameters,
  parts: SignatureParts,
): Promise<SignedOrder | undefined> {
  if (!over.includes('orderid') || !over.includes('amount')) return undefined;
  const merchant = parts.configuration.byLogin(parameters.get('login') ?? '');
  return merchant && parts.orderOf(merchant.merchantId, parameters.get('orderid') ?? '');
}

/** A sandbox is called by many names, so a signature over the name that was called counts there too. */
function oauthRequest(request: ArrivedRequest, { baseUrl, configuration }: SignatureParts): OAuthRequest {
  const { authorization, path, called, target, form, now } = request;
  const origin = isSandbox(target, configuration) ? originOf(called.scheme, called.host) : undefined;
  const urls = signedUrls(baseUrl(), path, { path: called.path, origin });
  return { authorization, urls, sent: form.sent, login: form.parameters.get('login'), now };
}

/** A control may cover the order's own amount and currency where the body leaves both out (D-22). */
async function withControl(
  scheme: ControlAuth,
  request: ControlRequest,
  parts: SignatureParts,
): Promise<Authenticated | NotAuthenticated> {
  const { configuration } = parts;
  const { parameters, raw } = request;
  const result = authenticateControl(scheme, request, configuration);
  if ('merchant' in result || parameters.has('amount') || parameters.has('currency')) return result;
  const order = await orderOf(scheme, parameters, parts);
  if (!order) return result;
  const { amount, endpointId } = order;
  // Major units have only one reading.
  const own = [['amount', writeAmount(amount, 'major')] as const, ['currency', amount.currency] as const];
  const withOwnAmount = authenticateControl(
    scheme,
    {
      ...request,
      endpoint: configuration.endpoint(endpointId),
      parameters: new Map([...parameters, ...own]),
      raw: new Map([...raw, ...own]),
    },
    configuration,
  );
  return 'merchant' in withOwnAmount ? withOwnAmount : result;
}

/** Anybody may ask; the merchant is that of the endpoint. */
function unsigned(
  parameters: Parameters,
  target: PathTarget | undefined,
  configuration: LiveConfiguration,
): Authenticated | NotAuthenticated {
  const merchant = target && configuration.byId(target.merchantId);
  invariant(merchant, 'an unsigned request came this far without an endpoint');
  if (!isOwnLogin(parameters, merchant)) return { faults: [fault('invalid-control-code', { field: 'login' })] };
  return { merchant, notation: 'major', signed: false, control: undefined };
}
