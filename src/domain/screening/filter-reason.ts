// Why an order was filtered.

import type { ErrorName } from '../errors.ts';

/** The code and the text of each reason are in `errors.ts`. */
export type FilterReason = Extract<
  ErrorName,
  | 'card-blocked'
  | 'issuer-blocked'
  | 'email-blocked'
  | 'address-blocked'
  | 'country-blocked'
  | 'card-over-limit'
  | 'email-over-limit'
  | 'address-over-limit'
  | 'duplicate-payment'
>;
