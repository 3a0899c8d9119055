// Finds out who asks. Nothing in a request is believed before this; a wrong login, key or signature gets the same
// reply. An operation names its scheme; one that names none may be called unsigned, and a signature sent anyway is
// checked.

import { fault, invariant, Refusal, refuse } from '../domain/errors.ts';
import type { Endpoint } from '../domain/merchant/merchant.ts';
import { exponentOf, isCurrency } from '../domain/money/currency.ts';
import { writeAmount } from '../domain/money/money.ts';
import type { Parameters } from '../operations/form.ts';
import type { Auth, ControlAuth, OAuthAuth, Operation } from '../operations/operation.ts';
import type { LiveConfiguration, PathTarget } from '../processing/node/live-configuration.ts';
import type { Nonces } from '../processing/requests/nonces.ts';
import type { ExplainedSignature } from '../signing/explained-control.ts';
import { originOf, signedUrls } from '../signing/oauth1.ts';
import type { SignedOrder, SignedOrderStore } from '../storage/orders/signed-orders.ts';
import { endpointFor, isSandbox } from './addressed-endpoint.ts';
import {
  authenticateControl,
  type ControlRequest,
  expectedControlString,
  explainedControl,
  isOwnLogin,
  unknownLogin,
} from './authenticate-control.ts';
import { authenticateOAuth, expectedBaseString, explainedOAuth, type OAuthRequest } from './authenticate-oauth.ts';
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
  /** How far `now` is ahead of the true time: the clock of a sandbox may be. */
  readonly aheadMs?: number | undefined;
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
  /** Numbers of test cards that replies may repeat: those that a sandbox publishes, and none in production. */
  readonly publishedCards: ReadonlySet<string>;
  /** The orders that requests name: a control may cover its own amount, and its endpoint says how that is signed. */
  readonly signedOrders: SignedOrderStore;
};

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
  if (scheme.scheme === 'control') return withControl(scheme, request, parts);
  return authenticateOAuth(scheme, oauthRequest(request, parts), { configuration, nonces });
}

/** The text that a right signature of this request would cover, without keys and card data. */
export async function expectedString(request: ArrivedRequest, parts: SignatureParts): Promise<string> {
  const { auth } = request.operation;
  const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
  if (scheme.scheme !== 'control') return expectedBaseString(oauthRequest(request, parts), parts.publishedCards);
  const arrived = controlRequest(request, parts);
  if (!isSignedTwoWays(scheme, arrived.parameters)) return expectedControlString(scheme, arrived);
  const endpoint = await endpointOfOrder(arrived, parts);
  return expectedControlString(scheme, { ...arrived, endpoint });
}

/** Why its signature is wrong, as far as that can be found out. */
export function explainedSignature(request: ArrivedRequest, parts: SignatureParts): ExplainedSignature | undefined {
  const { auth } = request.operation;
  const scheme = auth.scheme === 'open' ? auth.ifSigned : auth;
  if (scheme.scheme !== 'control') return explainedOAuth(oauthRequest(request, parts), parts.configuration);
  return explainedControl(scheme, controlRequest(request, parts), parts.configuration);
}

function controlRequest(
  request: ArrivedRequest,
  { configuration }: SignatureParts,
  inEitherWay = false,
): ControlRequest {
  const { operation, target, pathId, form, now } = request;
  const { parameters, raw } = form;
  const endpoint = target && endpointFor(target, operation, parameters, configuration);
  const isExplained = isSandbox(target, configuration);
  return { operation: operation.name, pathId, target, endpoint, parameters, raw, now, isExplained, inEitherWay };
}

/** Whether the control moves an order's money and its amount has no decimals: only those are signed in two ways. */
function isSignedTwoWays(scheme: ControlAuth, parameters: Parameters): boolean {
  const currency = parameters.get('currency') ?? '';
  return isAboutOrder(scheme) && isCurrency(currency) && exponentOf(currency) === 0;
}

function isAboutOrder({ over }: ControlAuth): boolean {
  return over.includes('orderid') && over.includes('amount');
}

/**
 * The endpoint of the order whose money a control moves. Its formula names no endpoint, so the order's own one decides
 * how amounts are signed: otherwise a control for 10 yen, signed by hundredths, would stand for 1000 yen at another.
 */
async function endpointOfOrder(request: ControlRequest, parts: SignatureParts): Promise<Endpoint | undefined> {
  const order = await orderOf(request.parameters, parts);
  return order ? parts.configuration.endpoint(order.endpointId) : request.endpoint;
}

/** No merchant has this id; its orders are looked for all the same, so that time does not tell which logins exist. */
const NOBODY = 0;
const ORDER_ID = /^[1-9]\d{0,15}$/;

/** The order that a request names. */
async function orderOf(parameters: Parameters, parts: SignatureParts): Promise<SignedOrder | undefined> {
  const merchantId = parts.configuration.byLogin(parameters.get('login') ?? '')?.merchantId ?? NOBODY;
  const orderId = parameters.get('orderid') ?? '';
  return ORDER_ID.test(orderId) ? parts.signedOrders.find({ merchantId, orderId: Number(orderId) }) : undefined;
}

/** A sandbox is called by many names, so a signature over the name that was called counts there too. */
function oauthRequest(request: ArrivedRequest, { baseUrl, configuration }: SignatureParts): OAuthRequest {
  const { operation, authorization, path, called, target, form, now, aheadMs } = request;
  const isExplained = isSandbox(target, configuration);
  const origin = isExplained ? originOf(called.scheme, called.host) : undefined;
  const urls = signedUrls(baseUrl(), path, { path: called.path, origin });
  const login = form.parameters.get('login');
  return { authorization, urls, sent: form.sent, login, now, aheadMs, operation: operation.name, isExplained };
}

/** Stands in for an order that does not exist: its control is checked, never accepted. */
const NO_ORDER: SignedOrder = { amount: { minor: 1000n, currency: 'USD' }, endpointId: NOBODY };

/**
 * The order is read only where it must be: to say which of two ways a control that fits was signed, and where the body
 * leaves amount and currency out and the control may cover the order's own (D-22). A wrong control costs the same
 * reading and the same digests whether its login and its order exist or not.
 */
async function withControl(
  scheme: ControlAuth,
  arrived: ArrivedRequest,
  parts: SignatureParts,
): Promise<Authenticated | NotAuthenticated> {
  const { configuration } = parts;
  const inEitherWay = isSignedTwoWays(scheme, arrived.form.parameters);
  const request = controlRequest(arrived, parts, inEitherWay);
  const { parameters, raw } = request;
  const result = authenticateControl(scheme, request, configuration);
  if ('merchant' in result) {
    if (!inEitherWay) return result;
    const endpoint = await endpointOfOrder(request, parts);
    return authenticateControl(scheme, { ...request, endpoint, inEitherWay: false }, configuration);
  }
  if (!isAboutOrder(scheme) || parameters.has('amount') || parameters.has('currency')) return result;
  const order = await orderOf(parameters, parts);
  const { amount, endpointId } = order ?? NO_ORDER;
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
  return order && 'merchant' in withOwnAmount ? withOwnAmount : result;
}

/** Anybody may ask; the merchant is that of the endpoint. */
function unsigned(
  parameters: Parameters,
  target: PathTarget | undefined,
  configuration: LiveConfiguration,
): Authenticated | NotAuthenticated {
  const merchant = target && configuration.byId(target.merchantId);
  invariant(merchant, 'an unsigned request came this far without an endpoint');
  if (!isOwnLogin(parameters, merchant)) {
    const wrong = fault('invalid-control-code', { field: 'login' });
    return { faults: [wrong, ...unknownLogin('login', parameters, configuration)] };
  }
  return { merchant, notation: 'major', signed: false, keyId: undefined, control: undefined };
}
