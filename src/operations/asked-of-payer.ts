// Of what an endpoint demands, what a form asks the payer for where the request leaves it out, and what the payer's
// browser tells anyway. The merchant must send the rest: nobody else can.

import * as field from './fields.ts';

/**
 * By their names on the wire. A social security number is read and not kept, so nobody could say later that it is
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
