// Drops months that are forgotten as a whole: quick however many rows they have, where rows one by one are not.

import { changeSchema } from '../cluster/distribute.ts';
import type { Database } from '../database.ts';
import type { HistoryTable } from './history-tables.ts';
import { takeTurn } from './make-months.ts';
import { isBusy, isNotOurs, listPartitions } from './partitions.ts';

/** Changes of orders are never forgotten. */
type ForgottenTable = Exclude<HistoryTable, 'order_events'>;

/** Those that lie wholly before the moment. What is in use is left for the next time, and so is what is not ours. */
export async function dropMonths(database: Database, table: ForgottenTable, before: number): Promise<string[]> {
  const partitions = await database.transaction(listPartitions);
  const dropped: string[] = [];
  for (const one of partitions.filter((partition) => partition.table === table && partition.until <= before)) {
    try {
      const isOurTurn = await database.transaction(async (session) => {
        if (!(await takeTurn(session))) return false;
        await changeSchema(session, `drop table ${one.name}`);
        return true;
      });
      if (isOurTurn) dropped.push(one.name);
    } catch (error) {
      if (isNotOurs(error)) break;
      if (!isBusy(error)) throw error;
    }
  }
  return dropped;
}
