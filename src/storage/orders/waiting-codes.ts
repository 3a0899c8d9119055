// Whether a security code still waits for a bank: its key must be kept then, also by a gateway that stops.

import type { Database } from '../database.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';

const any = statement('transactions-any-code', {
  waits: column.boolean('exists (select 1 from transactions where sealed_cvv is not null)'),
})`select ${COLUMNS}`;

export async function isAnyCodeWaiting(database: Database): Promise<boolean> {
  return (await database.query(any))[0]?.waits === true;
}
