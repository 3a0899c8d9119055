// Who reads a page: somebody who runs the gateway, or a merchant's own, for whom there is one merchant.

import type { Visit } from '../page.ts';

type Reader = Pick<Visit, 'person'>;

export const isOfMerchant = ({ person }: Reader) => person.merchantId !== undefined;

/** What the list of merchants is called, of which a merchant's own people see one. */
export const MERCHANTS = { name: 'Merchants', ownName: 'Your merchant' } as const;

/** The way back to it. */
export const merchantsAbove = (reader: Reader): readonly [path: string, name: string] => [
  '/console/merchants',
  isOfMerchant(reader) ? MERCHANTS.ownName : MERCHANTS.name,
];

/** The columns that only those need who see more than one merchant. */
export function unlessOfMerchant<T extends object>(reader: Reader, columns: T): T | Record<never, never> {
  return isOfMerchant(reader) ? {} : columns;
}
