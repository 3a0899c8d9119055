// Months that lie in files: which there are, and how one leaves the database for the file that holds it.

import { changeSchema } from '../cluster/distribute.ts';
import type { Database, Session } from '../database.ts';
import { keepBegunAlone } from '../people/begun-alone.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';
import { quoted } from '../transfer/catalogue.ts';
import { historyTableIn, type RowsSeen, rowsSeen } from './archive-file.ts';
import type { HistoryTable } from './history-tables.ts';
import { takeTurn } from './make-months.ts';
import { isBusy, listPartitions } from './partitions.ts';

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

async function dropWithin(session: Session, filed: FiledMonth, now: number, tell?: Tell): Promise<void> {
  const { table: name, month, rows, digest } = filed;
  if (!(await takeTurn(session, { isPatient: false })))
    throw new NotArchived('another node changes months just now: run it again');
  const partition = (await listPartitions(session)).find((one) => one.table === name && one.month === month);
  if (partition === undefined) throw new NotArchived(`there is no month ${month} of ${name}`);
  // Whoever reads it goes on; whoever would change it waits, and finds that it is gone.
  await session.script(`lock table ${quoted(partition.name)} in share mode`);
  const seen = await rowsSeen(session, partition.name, await historyTableIn(session, name));
  if (seen.rows !== rows || seen.digest !== digest) {
    throw new NotArchived(`rows of ${name} ${month} changed since the file was written: archive it again`);
  }
  if (name === 'order_events') await keepBegunAlone(session, partition.name);
  await session.query(statements.insert, archives.values({ ...filed, until: partition.until, archivedAt: now }));
  await tell?.(session);
  await changeSchema(session, `drop table ${quoted(partition.name)}`);
}
