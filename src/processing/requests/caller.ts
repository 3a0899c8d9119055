// Who is asking, once the signature fits: the merchant, the endpoint the path leads to, and the request's identity.

import type { Endpoint, Merchant } from '../../domain/merchant/merchant.ts';
import type { Notation } from '../../domain/money/money.ts';
import type { Secret } from '../../domain/secret.ts';

export type Caller = {
  readonly merchant: Merchant;
  /** The endpoint the path leads to, directly or by its group and the request's currency; absent when neither says. */
  readonly endpoint: Endpoint | undefined;
  readonly serialNumber: string;
  /** The internet address the request came from; undefined when the service itself asks. */
  readonly address: string | undefined;
  /** How this request writes amounts. */
  readonly notation: Notation;
  /** Whether a signature proves that the merchant asks; some operations may be called without one. */
  readonly signed: boolean;
  /** The signature over every byte and the operation, where the endpoint demands one. */
  readonly strict: string | undefined;
  /** The accepted control signature: its digest, and the one reading of the values it covers. */
  readonly control: { readonly digest: Buffer; readonly reading: Buffer } | undefined;
  /** A digest of the key that was sent, the same for the same key. */
  readonly idempotencyKey: string | undefined;
  /** Whether the key was made of the body, for a request that named none (D-76). */
  readonly isKeyOfBody: boolean;
  /** The operation and all values except security code and signature: equal for equal requests. */
  readonly said: readonly (string | Secret<string>)[];
};

/** What there is to say of a request that nobody signed and the service itself makes, for a merchant it knows. */
export const OWN_REQUEST = {
  address: undefined,
  notation: 'major',
  signed: true,
  strict: undefined,
  control: undefined,
  idempotencyKey: undefined,
  isKeyOfBody: false,
} as const satisfies Partial<Caller>;
