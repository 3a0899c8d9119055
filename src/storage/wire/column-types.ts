// How a column's text becomes a value. `pg`'s own choice (large integers and decimals stay text), except that a
// `date` and a `timestamp` without zone stay text too: as a Date they would depend on where the process runs.

import pg from 'pg';

const DATE = 1082;
const TIMESTAMP = 1114;

export type Parse = (text: string) => unknown;

const asText: Parse = (text) => text;

export function parserOf(typeId: number): Parse {
  if (typeId === DATE || typeId === TIMESTAMP) return asText;
  return pg.types.getTypeParser(typeId, 'text');
}
