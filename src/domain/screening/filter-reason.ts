// Why an order was filtered.

import type { ErrorName } from '../errors.ts';

/** The code and the text of each reason are in `errors.ts`. */
export type FilterReason = Extract<
  ErrorName,
  `${string}-blocked` | `${string}-over-limit` | `${string}-tests-cards` | 'duplicate-payment'
>;
