// The counter that ids come from: one row. A block of ids is taken from it in a transaction of its own, before any of
// them is used, so whatever becomes of its taker nobody else gets them.

import type { IdRange } from '../domain/ids/id-blocks.ts';
import type { Database } from './database.ts';
import { COLUMNS, Columns, column, type RowOf, statement } from './tables/index.ts';

const counter = new Columns({
  nextId: column.id('next_id'),
  /** The last id the counter was moved to. */
  firstId: column.id('first_id').optional(),
});

export type CounterState = RowOf<typeof counter.parts>;

const statements = {
  read: statement('ids-read', counter)`select ${COLUMNS} from id_counter`,
  take: statement('ids-take', counter)`
    update id_counter set next_id = greatest(next_id, $2) + $1 returning ${COLUMNS}`,
  giveBack: statement('ids-give-back')`
    update id_counter set next_id = $1 where next_id = $2 and (first_id is null or first_id <= $1)`,
  moveForward: statement('ids-move-forward', counter)`
    update id_counter set next_id = $1, first_id = $1 where next_id <= $1 returning ${COLUMNS}`,
};

export type IdCounter = {
  read(): Promise<CounterState>;
  /** `atLeast`: the first id behind those the taker had before. A failover may have lost that they were taken. */
  take(count: number, atLeast?: number): Promise<IdRange>;
  /** Takes effect only if nobody took a block after this one, and never behind an id that a person moved it to. */
  giveBack(unused: IdRange): Promise<void>;
  /** The counter as it stands afterwards: moved to this id unless it was beyond. */
  moveForward(firstId: number): Promise<CounterState>;
};

export function idCounter(database: Database): IdCounter {
  const read = async () => only(await database.query(statements.read));
  return {
    read,
    async take(count, atLeast = 1) {
      const { nextId } = only(await database.query(statements.take, [count, atLeast]));
      return { from: nextId - count, until: nextId };
    },
    async giveBack({ from, until }) {
      await database.query(statements.giveBack, [from, until]);
    },
    moveForward: async (firstId) => (await database.query(statements.moveForward, [firstId]))[0] ?? read(),
  };
}

/** The table has one row, made by a migration. */
function only<R>([row]: readonly R[]): R {
  if (!row) throw new Error('the table id_counter is empty; it must have one row');
  return row;
}
