// Keeps the count of orders by spans of time. A span is counted whole out of the orders made in it, in pieces and
// outside of any transaction; then it is replaced, in one short transaction with the mark of how far the count has
// come, unless something moved a mark of it meanwhile. Whatever is interrupted or done twice, nothing is counted twice.

import { recountAfter, SETTLES_MS, SPAN_MS, SPAN_WIDTHS, spanBegin } from '../../domain/figures/spans.ts';
import { openStatuses } from '../../domain/order/stages.ts';
import { present } from '../../domain/present.ts';
import { overShards } from '../cluster/over-shards.ts';
import { type Database, DatabaseError, type Session } from '../database.ts';
import { statusIn } from '../orders/order-words.ts';
import { COLUMNS, column, type RowOf, statement } from '../tables/index.ts';
import { countedKinds, spanBeginOf, wider } from './counted-kinds.ts';
import { type AddedUp, addedKinds, type CountedTime, countPieces } from './pieces.ts';

const [FINEST] = SPAN_WIDTHS;

/** The part of a statement that writes orders into the past: what is counted up to the latest is counted again. */
export const countAgainUpTo = (latest: string) => `
      update figures_counted
      set taken_back = taken_back + 1,
        from_at = case when from_at is not null
          then greatest(from_at, least(to_at, ${spanBeginOf(latest, FINEST)} + interval '${FINEST} minutes')) end`;

const markColumns = {
  from: column.moment('from_at').optional(),
  to: column.moment('to_at').optional(),
  takenBack: column.id('taken_back'),
};
type Mark = RowOf<typeof markColumns>;

const recountColumns = { beginsAt: column.moment('begins_at'), dueAt: column.moment('due_at') };

const statements = {
  read: statement('figures-mark-read', markColumns)`select ${COLUMNS} from figures_counted`,
  lock: statement('figures-lock', markColumns)`select ${COLUMNS} from figures_counted for update skip locked`,
  mark: statement('figures-mark')`update figures_counted set from_at = $1, to_at = $2, at = $3`,
  recounts: statement('figures-recounts', recountColumns)`
    select ${COLUMNS} from recounted_spans where begins_at >= $1 and begins_at < $2 order by begins_at`,
  due: statement('figures-due', { beginsAt: column.moment('begins_at') })`
    select ${COLUMNS} from recounted_spans where due_at <= $1 order by due_at limit 1`,
  earliest: statement('figures-earliest', { at: column.moment('at') })`
    select ${COLUMNS} from (
      select min((select o.created_at from orders o where o.merchant_id + 0 = m.merchant_id and o.created_at >= $1
        order by o.created_at limit 1)) as at from merchants m) x where at is not null`,
  latest: statement('figures-latest', { at: column.moment('at') })`
    select ${COLUMNS} from (
      select max((select o.created_at from orders o where o.merchant_id + 0 = m.merchant_id and o.created_at < $1
        order by o.created_at desc limit 1)) as at from merchants m) x where at is not null`,
  // Each time makes it due earlier than before, by which a count sees that it was asked for meanwhile. By way of UTC,
  // because a cluster takes here only what no setting of a session changes.
  again: statement('figures-again')`
    insert into recounted_spans values ($1, $2)
    on conflict (begins_at) do update
    set due_at = least(
      (recounted_spans.due_at at time zone 'UTC' - interval '1 millisecond') at time zone 'UTC', excluded.due_at)`,
  // Those that are as they were; one that came this moment stays.
  unplan: statement('figures-unplan')`
    delete from recounted_spans
    where (begins_at, due_at) in (select unnest($1::timestamptz[]), unnest($2::timestamptz[]))`,
  // $3: spans that end later than this may still get orders.
  plan: statement('figures-plan')`
    insert into recounted_spans
    select s, $4 from generate_series($1::timestamptz, $2::timestamptz - interval '${FINEST} minutes',
      interval '${FINEST} minutes') s
    where s + interval '${FINEST} minutes' > $3 or exists (
      select from figures f where f.width = ${FINEST} and f.begins_at = s and ${statusIn(openStatuses, 'f')})
    on conflict (begins_at) do nothing`,
};

/** At most so much of the past is counted in one lot. */
const LOT_MS = 12 * SPAN_MS;

/** What is counted next, how far the count had come before, and what of that the lot moves. */
type Lot = { readonly span: CountedTime; readonly before: Mark; readonly moved: Partial<CountedTime> };
type Recounts = readonly RowOf<typeof recountColumns>[];

export type FigureCounts = {
  /**
   * Counts one lot, and tells whether another is due. Of a lot that another node counted meanwhile nothing is kept.
   * `rest` comes after each piece of it.
   */
  countLot(now: number, rest?: () => Promise<void>): Promise<boolean>;
  /** Counts orders that were made at this time again: one of them changed after all of them had ended. */
  countAgain(madeAt: number, now: number): Promise<void>;
};

export function figureCounts(database: Database): FigureCounts {
  return {
    async countLot(now, rest = async () => {}) {
      const lot = await nextLot(database, now);
      if (!lot) return false;
      const recounts = await recountsOf(database, lot.span);
      const added = await countPieces(database, lot.span, rest);
      return database
        .transaction((session) => replace(session, { lot, recounts, added, now }))
        .catch((error) => {
          if (error instanceof DatabaseError && error.sqlState === LOCK_NOT_AVAILABLE) return false;
          throw error;
        });
    },
    async countAgain(madeAt, now) {
      await database.query(statements.again, [new Date(spanBegin(madeAt)), new Date(now)]);
    },
  };
}

const LOCK_NOT_AVAILABLE = '55P03';

/** A cluster does not skip what is locked: it waits, so it is told how long. */
async function heldBy(session: Session) {
  // The lock may be on another server of it, which is told the same.
  if (session.isCluster)
    await session.script("set local citus.propagate_set_commands = 'local'; set local lock_timeout = '1s'");
  const [held] = await session.query(statements.lock);
  return held;
}

/** What is new comes first, then what may have changed, then what is older than all that was counted. */
async function nextLot(database: Database, now: number): Promise<Lot | undefined> {
  const before = present((await database.query(statements.read))[0]);
  const { from: first = spanBegin(now - SETTLES_MS), to: last = first } = before;
  const end = spanBegin(now) + SPAN_MS;
  if (last < end) {
    const settled = spanBegin(now - SETTLES_MS);
    const [order] = last < settled ? byTime(await overShards(database, statements.earliest, [new Date(last)])) : [];
    // What is empty and so old that it stays so is left out.
    const from = Math.max(last, Math.min(settled, order ? spanBegin(order.at) : settled));
    const to = Math.min(end, from + LOT_MS);
    return { span: { from, to }, before, moved: before.from === undefined ? { from: first, to } : { to } };
  }
  const [due] = await database.query(statements.due, [new Date(now)]);
  // It may lie before all that is counted, where everything is counted again.
  if (due) return { span: { from: due.beginsAt, to: due.beginsAt + SPAN_MS }, before, moved: {} };
  const latest = byTime(await overShards(database, statements.latest, [new Date(first)])).at(-1);
  if (!latest) return undefined;
  const to = spanBegin(latest.at) + SPAN_MS;
  const from = Math.max(spanBegin(latest.at, LOT_MS), to - LOT_MS);
  return { span: { from, to }, before, moved: { from } };
}

const byTime = <T extends { readonly at: number }>(rows: readonly T[]) =>
  rows.toSorted((one, other) => one.at - other.at);

const datesOf = ({ from, to }: CountedTime) => [new Date(from), new Date(to)];

const recountsOf = (session: Session, span: CountedTime): Promise<Recounts> =>
  session.query(statements.recounts, datesOf(span));

type CountedLot = {
  readonly lot: Lot;
  readonly recounts: Recounts;
  readonly added: AddedUp;
  readonly now: number;
};

/** Whether nobody counted the lot's time, took counted time back or asked to count it again, since it was begun. */
async function isUntouched(session: Session, held: Mark, { lot, recounts }: CountedLot): Promise<boolean> {
  const { before, moved, span } = lot;
  const stays = (end: keyof CountedTime) => moved[end] === undefined || held[end] === before[end];
  if (held.takenBack !== before.takenBack || !stays('from') || !stays('to')) return false;
  return JSON.stringify(await recountsOf(session, span)) === JSON.stringify(recounts);
}

async function replace(session: Session, counted: CountedLot): Promise<boolean> {
  const held = await heldBy(session);
  if (!held) return false;
  // It is counted once more.
  if (!(await isUntouched(session, held, counted))) return true;
  const { lot, recounts, added, now } = counted;
  const range = datesOf(lot.span);
  const again = new Date(now + recountAfter(now - lot.span.to));
  const { from, to } = { ...held, ...lot.moved };
  await session.flight([
    ...addedKinds.flatMap((kind) => [
      { statement: countedKinds[kind].forget, values: range },
      { statement: countedKinds[kind].write, values: [added[kind].toJson(), range[0]] },
    ]),
    ...wider.map((one) => ({ statement: one, values: range })),
    {
      statement: statements.unplan,
      values: [recounts.map((one) => new Date(one.beginsAt)), recounts.map((one) => new Date(one.dueAt))],
    },
    { statement: statements.plan, values: [...range, new Date(now - SETTLES_MS), again] },
    { statement: statements.mark, values: [from, to, now].map((moment) => new Date(present(moment))) },
  ]);
  return true;
}
