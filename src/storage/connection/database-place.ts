// Which database is meant, in words for people: never with the password that may be in its address.

import { readDatabaseAddress } from './database-address.ts';

export const EMBEDDED = 'embedded, in the data folder';

export function databasePlace(address: string | undefined): string {
  if (address === undefined) return EMBEDDED;
  const { hosts, name } = readDatabaseAddress(address);
  return `${name} at ${hosts.map(({ place }) => place).join(', ')}`;
}
