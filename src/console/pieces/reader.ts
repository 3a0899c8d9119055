// Who reads a page: somebody who runs the gateway, or a merchant's own, for whom there is one merchant.

import type { Visit } from '../page.ts';

type Reader = Pick<Visit, 'person'>;

export const isOfMerchant = ({ person }: Reader) => person.merchantId !== undefined;

/** The columns that only those need who see more than one merchant. */
export function unlessOfMerchant<T extends object>(reader: Reader, columns: T): T | Record<never, never> {
  return isOfMerchant(reader) ? {} : columns;
}
