// Which database is meant, in words for people: never with the password that may be in its address.

const DEFAULT_PORT = '5432';

export const EMBEDDED = 'embedded, in the data folder';

export function databasePlace(address: string | undefined): string {
  if (address === undefined) return EMBEDDED;
  const url = new URL(address);
  const host = url.hostname || url.searchParams.get('host') || 'localhost';
  return `${url.pathname.slice(1) || 'postgres'} at ${host}:${url.port || DEFAULT_PORT}`;
}
