// Who is asking, once the signature fits: the merchant, the endpoint the path leads to, and the request's own marks.

import type { Endpoint, Merchant } from '../../domain/merchant/merchant.ts';
import type { Notation } from '../../domain/money/money.ts';
import type { Secret } from '../../domain/secret.ts';

export type Caller = {
  readonly merchant: Merchant;
  /** The endpoint the path leads to, directly or by its group and the request's currency; absent when neither says. */
  readonly endpoint: Endpoint | undefined;
  readonly serialNumber: string;
  /** The network address the request came from; none when the service asks by itself. */
  readonly address: string | undefined;
  /** How this request writes amounts. */
  readonly notation: Notation;
  /** Whether the merchant is proven to ask; an operation without required signature may be called by anybody. */
  readonly signed: boolean;
  /** The signature over every byte and the operation, where the endpoint demands one. */
  readonly strict: string | undefined;
  /** The accepted control: its digest, and the one reading of the values it covers. */
  readonly control: { readonly digest: Buffer; readonly reading: Buffer } | undefined;
  readonly idempotencyKey: string | undefined;
  /** The operation and everything it was asked, save security code and signature: equal for equal requests. */
  readonly said: readonly (string | Secret<string>)[];
};
