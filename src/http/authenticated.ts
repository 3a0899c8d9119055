// The result of authentication: the merchant who asks, or why there is none.

import type { Fault } from '../domain/errors.ts';
import type { Merchant } from '../domain/merchant/merchant.ts';
import type { Notation } from '../domain/money/money.ts';
import type { AcceptedControl } from '../signing/control.ts';

export type Authenticated = {
  readonly merchant: Merchant;
  /** How the request writes amounts. */
  readonly notation: Notation;
  readonly signed: boolean;
  /** The key that it was signed with. */
  readonly keyId: string | undefined;
  readonly control: AcceptedControl | undefined;
};

/** What a failed authentication says: its fault, and the plain faults of what is signed. */
export type NotAuthenticated = { readonly faults: readonly [Fault, ...Fault[]] };
