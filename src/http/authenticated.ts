// What is known of whoever asks, once the signature was looked at: the merchant, or why it is nobody.

import type { Fault } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant/merchant.ts';
import type { Notation } from '../domain/money/money.ts';
import type { AcceptedControl } from '../signing/control.ts';

export type Authenticated = {
  readonly merchant: Merchant;
  /** How the request writes amounts. */
  readonly notation: Notation;
  readonly signed: boolean;
  readonly control: AcceptedControl | undefined;
};

/** What a failed authentication tells: the fault, what else is plainly wrong, and what we would have signed. */
export type NotAuthenticated = {
  readonly faults: readonly [Fault, ...Fault[]];
  readonly expectedString?: string;
};
