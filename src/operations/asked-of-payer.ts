// Which of the fields that an endpoint demands a hosted form asks the payer for when the request leaves them out, and
// which the payer's browser sends anyway. The merchant must send the rest: nobody else can.

import * as field from './fields.ts';

/**
 * Names as requests spell them. A social security number is not kept, so it could not be known later whether it is
 * missing.
 */
export const ASKED_OF_PAYER = [
  'email',
  'first_name',
  'last_name',
  'phone',
  'cell_phone',
  'birthday',
  'address1',
  'city',
  'state',
  'zip_code',
  'country',
] as const;

const TOLD_BY_BROWSER = [field.ipAddress, ...Object.values(field.browser)].map(({ wire }) => wire);

const NOT_FROM_MERCHANT: ReadonlySet<string> = new Set([...ASKED_OF_PAYER, ...TOLD_BY_BROWSER]);

export function demandedOfMerchant(demanded: readonly string[] = []): readonly string[] {
  return demanded.filter((name) => !NOT_FROM_MERCHANT.has(name));
}
