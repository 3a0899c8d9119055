// Months that lie in files: which there are, and how one leaves the database for the file that holds it.

import { endOfArchive, isSettled, nextArchiveName } from '../../domain/time/archivable-months.ts';
import { changeSchema } from '../cluster/distribute.ts';
import type { Database, Session } from '../database.ts';
import { keepBegunAlone } from '../people/begun-alone.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';
import { quoted } from '../transfer/catalogue.ts';
import { statementName } from '../transfer/export.ts';
import { historyTableIn, type RowsSeen, rowsSeen } from './archive-file.ts';
import type { HistoryTable } from './history-tables.ts';
import { takeTurn } from './make-months.ts';
import { isBusy, listPartitions, listRest, type Partition } from './partitions.ts';

const archives = table('archives', ['table', 'month'], {
  table: column.text<HistoryTable>('table_name'),
  month: column.text('month'),
  until: column.moment('ended_at'),
  rows: column.id('rows'),
  sha256: column.text('sha256'),
  file: column.text('file'),
  archivedAt: column.moment('archived_at'),
});

export type ArchivedMonth = RowOf<typeof archives.parts>;

/** A month whose file is there, whole. */
export type FiledMonth = Pick<ArchivedMonth, 'table' | 'month' | 'sha256' | 'file'> & RowsSeen;

const statements = {
  list: statement('archives-list', archives)`select ${COLUMNS} from archives order by ended_at, table_name`,
  insert: statement('archives-insert')`${archives.insert()}`,
};

/** A month that cannot leave the database; the message says why. */
export class NotArchived extends Error {
  override readonly name = 'NotArchived';
}

const CHANGED = 'changed since the file was written';

/** Whether a drop was refused, here or by a gateway, because the file does not hold the rows that are there now. */
export const tellsOfChange = (error: unknown): boolean => error instanceof Error && error.message.includes(CHANGED);

/** Adds to the audit chain, before payments have to wait for the drop: others may hold the head of the chain. */
type Tell = (session: Session) => Promise<unknown>;

export type ArchiveStore = {
  /** The oldest first. */
  list(): Promise<ArchivedMonth[]>;
  /** Notes where the month is, tells it, and drops it, unless its rows are no longer those of the file. */
  drop(filed: FiledMonth, now: number, tell?: Tell): Promise<void>;
};

export function archiveStore(database: Database): ArchiveStore {
  return {
    list: () => database.query(statements.list),
    drop: (filed, now, tell) =>
      database
        .transaction((session) => dropWithin(session, filed, now, tell))
        .catch((error) => {
          throw isBusy(error)
            ? new NotArchived(
                'somebody uses the table just now, such as an export, or changes the administration: run it again',
              )
            : error;
        }),
  };
}

/** How the file of a month is called. */
export const archiveFileName = ({ table, month }: Pick<FiledMonth, 'table' | 'month'>, ending: 'gz' | 'sealed') =>
  `tender-${table}-${month}.${ending}`;

async function dropWithin(session: Session, filed: FiledMonth, now: number, tell?: Tell): Promise<void> {
  const { table: name, month, rows, digest } = filed;
  refuseOddFile(filed);
  if (!(await takeTurn(session))) throw new NotArchived('another node changes months just now: run it again');
  const partitions = (await listPartitions(session)).filter(({ table }) => table === name);
  const taken = (await session.query(statements.list)).filter(({ table }) => table === name).map((one) => one.month);
  const partition = partitions.find((one) => nextArchiveName(one.month, taken) === month);
  if (partition === undefined) throw new NotArchived(`there is no month ${month} of ${name}`);
  if (!isSettled(partition.until, now)) {
    throw new NotArchived(`${name} ${month} is not over, or was so less than two days ago: something may still come`);
  }
  if (name === 'order_events') await refuseUnlessOldest(session, partition, partitions);
  // Whoever reads it goes on; whoever would change it waits, and finds that it is gone.
  await session.script(`lock table ${quoted(partition.name)} in share mode`);
  const seen = await rowsSeen(session, partition.name, await historyTableIn(session, name));
  if (seen.rows === 0) throw new NotArchived(`${name} ${month} has no rows: it needs no file`);
  if (seen.rows !== rows || seen.digest !== digest) {
    throw new NotArchived(`rows of ${name} ${month} ${CHANGED}: archive it again`);
  }
  if (name === 'order_events') await keepBegunAlone(session, partition.name);
  await session.query(statements.insert, archives.values({ ...filed, until: partition.until, archivedAt: now }));
  await tell?.(session);
  await changeSchema(session, `drop table ${quoted(partition.name)}`);
}

const SHA256 = /^[0-9a-f]{64}$/;

/** What is noted is looked for again, by its name, in a folder. */
function refuseOddFile(filed: FiledMonth): void {
  const names = (['gz', 'sealed'] as const).map((ending) => archiveFileName(filed, ending));
  if (!names.includes(filed.file)) throw new NotArchived(`the file of a month is called ${names.join(' or ')}`);
  if (!SHA256.test(filed.sha256)) throw new NotArchived('the SHA-256 of a file has 64 hexadecimal digits');
}

/** What is left of an order are its last changes, or verification could not tell what is missing. */
async function refuseUnlessOldest(session: Session, { until }: Partition, partitions: readonly Partition[]) {
  for (const older of partitions.filter((one) => one.until < until)) {
    if (await hasRows(session, older.name)) {
      throw new NotArchived(`${older.month} of ${older.table} is older and still here: archive it first`);
    }
  }
  const rest = await listRest(session, 'order_events');
  const early = rest.find(({ month }) => (endOfArchive(month) ?? Number.POSITIVE_INFINITY) <= until);
  if (early) throw new NotArchived(`rows of order_events ${early.month} have no month: run "tender database migrate"`);
}

/** What is empty needs no file. */
export async function hasRows(session: Session, name: string): Promise<boolean> {
  const text = `select 1 as found from ${quoted(name)} limit 1`;
  return (await session.query({ name: statementName('archive-has-rows', text), text })).length > 0;
}
