// The tables that lie in a partition for each calendar month: what their rows are parted by, and how a moment is
// written as a bound of that.

import { serialNumbersSince, serialNumberTime } from '../../domain/ids/serial-times.ts';

export const historyTables = ['journal', 'order_events', 'callback_attempts'] as const;
export type HistoryTable = (typeof historyTables)[number];

type Parting = {
  /** The column that tells the month of a row. */
  readonly by: string;
  /** The least value of a moment, as SQL takes it. */
  readonly boundAt: (moment: number) => string;
  /** The moment of a bound, as PostgreSQL prints it in UTC. */
  readonly momentOf: (bound: string) => number;
  /** The month of a row as text, an expression. */
  readonly monthOfRow: string;
};

const BY_TIME: Parting = {
  by: 'at',
  boundAt: (moment) => `${new Date(moment).toISOString().slice(0, 10)} 00:00:00+00`,
  momentOf: (bound) => Date.parse(`${bound.slice(0, 19).replace(' ', 'T')}Z`),
  monthOfRow: `to_char(at at time zone 'UTC', 'YYYY-MM')`,
};

const BY_SERIAL_NUMBER: Parting = {
  by: 'serial_number',
  boundAt: serialNumbersSince,
  momentOf: serialNumberTime,
  monthOfRow: `to_char(to_timestamp(('x' || left(replace(serial_number::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
        at time zone 'UTC', 'YYYY-MM')`,
};

export const partingOf: Readonly<Record<HistoryTable, Parting>> = {
  journal: BY_SERIAL_NUMBER,
  order_events: BY_TIME,
  callback_attempts: BY_TIME,
};

/** Takes rows whose month has no partition, so that none is refused. */
export const restPartitionOf = (table: HistoryTable) => `${table}_rest`;

export const partitionOf = (table: HistoryTable, month: string) => `${table}_${month.replace('-', '_')}`;
