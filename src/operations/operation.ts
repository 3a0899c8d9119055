// An operation is described as data: its path, who may call it, what it takes, what it replies and what it does.
// Router, OpenAPI document, command line and reference pages are functions of the list in index.ts.

import type { Refusal } from '../domain/errors.ts';
import type { Gateway } from '../processing/gateway.ts';
import type { Caller } from '../processing/requests/caller.ts';
import type { Form, Shape, Values } from './form.ts';
import type { Reply, ResponseSchema } from './response.ts';

/** A control signature over these values, in this order, and the merchant's key. Wire names, or `endpointId`. */
export type ControlAuth = { readonly scheme: 'control'; readonly formula: string; readonly over: readonly string[] };

export type OAuthMethod = 'HMAC-SHA1' | 'RSA-SHA256';

export type OAuthAuth = { readonly scheme: 'oauth'; readonly method: OAuthMethod | 'either' };

/** The operation needs no signature; one that is sent anyway is checked by this scheme. */
export type OpenAuth = { readonly scheme: 'open'; readonly ifSigned: ControlAuth | OAuthAuth };

export type Auth = ControlAuth | OAuthAuth | OpenAuth;

export type Operation<
  S extends Shape = Shape,
  Name extends string = string,
  R extends ResponseSchema = ResponseSchema,
> = {
  /** The specification's name: SALE, CAPTURE … */
  readonly name: Name;
  /** The path before `/{endpointId}`. */
  readonly path: string;
  readonly summary: string;
  /** The request schema's name in the specification. */
  readonly schema: string;
  /** Whether the specification does not have it: public clients call it, so the service answers it. */
  readonly isAddition?: boolean;
  readonly auth: Auth;
  readonly request: Form<S>;
  readonly response: R;
  /** Whether the same bytes within a day are the same request, even without an `Idempotency-Key` (D-76). */
  readonly repeatsByBody?: boolean;
  /** Whether an endpoint group id is taken where an endpoint id stands. */
  readonly groups: boolean;
  /** Whether the payer is asked for what an endpoint demands and the request leaves out. */
  readonly asksPayer?: boolean;
  /** The reply to a request that was accepted before, whatever has changed since; undefined when it was not. */
  again?(clientOrderId: string, caller: Caller, gateway: Gateway): Promise<Reply<R> | Refusal | undefined>;
  /** A method, so that a list may hold operations of every form. */
  handle(values: Values<S>, caller: Caller, gateway: Gateway): Promise<Reply<R> | Refusal>;
};

/** An operation whose form is not known here. */
export type AnyOperation = Operation;

export function defineOperation<S extends Shape, Name extends string, R extends ResponseSchema>(
  operation: Omit<Operation<S, Name, R>, 'groups'> & { groups?: boolean },
): Operation<S, Name, R> {
  return { groups: true, ...operation };
}

export function control(formula: string, ...over: string[]): ControlAuth {
  return { scheme: 'control', formula, over };
}

export function oauth(method: OAuthMethod | 'either'): OAuthAuth {
  return { scheme: 'oauth', method };
}

export function open(ifSigned: ControlAuth | OAuthAuth): OpenAuth {
  return { scheme: 'open', ifSigned };
}

// The formulas of the control signature. The 3-D Secure uploads write client-order-id.
export const C1 = control('C1', 'login', 'client_orderid', 'orderid');
export const C2 = control('C2', 'endpointId', 'client_orderid', 'email');
export const C3 = control('C3', 'login', 'client_orderid', 'orderid', 'amount', 'currency');
export const C4 = control('C4', 'login', 'client_orderid', 'cardrefid', 'amount', 'currency');
export const C5 = control('C5', 'endpointId', 'client_orderid', 'amount', 'email');
export const C6 = control('C6', 'login', 'cardrefid');
export const C7 = control(
  'C7',
  'login',
  'client_orderid',
  'source_card_ref_id',
  'destination_card_ref_id',
  'amount',
  'currency',
);
