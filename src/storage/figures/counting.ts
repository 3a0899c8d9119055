// Counts orders into spans. A span is counted whole out of the orders made in it and replaced, in one transaction with
// the mark of how far the count has come: whatever is interrupted or done twice, nothing is counted twice.

import { ANSWERS, CELL_ENDS } from '../../domain/figures/answer-times.ts';
import { recountAfter, SETTLES_MS, SPAN_MS, SPAN_WIDTHS, spanBegin } from '../../domain/figures/spans.ts';
import { openStatuses } from '../../domain/order/stages.ts';
import { present } from '../../domain/present.ts';
import { overShards, stepOverShards } from '../cluster/over-shards.ts';
import { type Database, DatabaseError, type Session } from '../database.ts';
import { orders } from '../orders/order-rows.ts';
import { END_REASON, STATUS, STATUS_AT_TERMINAL, WENT_TO_TERMINAL } from '../orders/order-status.ts';
import { eventIs, eventIsFrom, findingIn, operationIs, statusIn } from '../orders/order-words.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';

/** The beginning of the span of so many minutes that a moment lies in. */
const spanOf = (moment: string, minutes: number) =>
  `date_bin('${minutes} minutes', ${moment}, timestamptz '1970-01-01 00:00:00+00')`;

const [FINEST] = SPAN_WIDTHS;

/** The part of a statement that writes orders into the past: what is counted up to the latest is counted again. */
export const countAgainUpTo = (latest: string) => `
      update figures_counted
      set from_at = greatest(from_at, least(to_at, ${spanOf(latest, FINEST)} + interval '${FINEST} minutes'))
      where from_at is not null`;

/** Along the index by merchant and time. */
const ORDERS = `merchants m join orders o
      on o.merchant_id + 0 = m.merchant_id and o.created_at >= $1 and o.created_at < $2`;

/** How long banks took is counted of the changes of orders: of months that were archived, what was counted stays. */
const ARE_EVENTS_HERE = `not exists (
      select from archives where table_name = 'order_events' and ended_at > $1::timestamptz)`;

const statements = {
  lock: statement('figures-lock', {
    from: column.moment('from_at').optional(),
    to: column.moment('to_at').optional(),
  })`select ${COLUMNS} from figures_counted for update skip locked`,
  mark: statement('figures-mark')`update figures_counted set from_at = $1, to_at = $2, at = $3`,
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
  forget: statement('figures-forget')`
    delete from figures where width = ${FINEST} and begins_at >= $1 and begins_at < $2`,
  // What a bank returned of a payout was not paid out.
  count: statement('figures-count')`
    insert into figures
    select ${FINEST}, ${spanOf('o.created_at', FINEST)}, o.merchant_id, o.endpoint_id, o.currency, o.operation,
      p.status, p.reason, count(*), sum(p.amount - case when ${operationIs('payout', 'o')} then o.reversed else 0 end)
    from ${ORDERS}
    cross join lateral (
      select t.amount, ${STATUS('t.stage')} as status, ${END_REASON} as reason
      from transactions t where ${orders.key.match('t', 'o')} and t.original_seq is null
      order by t.seq desc limit 1) p
    group by 2, 3, 4, 5, 6, 7, 8`,
  forgetTerminals: statement('figures-forget-terminals')`
    delete from terminal_figures where width = ${FINEST} and begins_at >= $1 and begins_at < $2`,
  countTerminals: statement('figures-count-terminals')`
    insert into terminal_figures
    select ${FINEST}, ${spanOf('o.created_at', FINEST)}, o.merchant_id, o.endpoint_id, o.currency, p.terminal, p.status,
      count(*)
    from ${ORDERS}
    cross join lateral (
      select distinct on (t.terminal) t.terminal, ${STATUS_AT_TERMINAL} as status
      from transactions t where ${orders.key.match('t', 'o')} and ${WENT_TO_TERMINAL}
      order by t.terminal, t.seq desc) p
    group by 2, 3, 4, 5, 6, 7`,
  forgetTimes: statement('figures-forget-times')`
    delete from answer_times where width = ${FINEST} and begins_at >= $1 and begins_at < $2 and ${ARE_EVENTS_HERE}`,
  // A cluster counts one shard after the other, and terminals have answers in several.
  // An instruction is on its way from the event before: of one order, one thing happens after the other.
  countTimes: statement('figures-count-times')`
    insert into answer_times
    select ${FINEST}, ${spanOf('o.created_at', FINEST)}, t.terminal,
      width_bucket(a.ms, array[${CELL_ENDS.join(', ')}]::numeric[]), count(*), max(a.ms)
    from ${ORDERS}
    cross join lateral (
      select (e.event ->> 'seq')::int as seq, greatest(0, extract(epoch from e.at - b.at) * 1000) as ms
      from order_events e join order_events b on ${orders.key.match('b', 'e')} and b.version = e.version - 1
      where ${orders.key.match('e', 'o')} and ${eventIs('transaction-moved', 'e')}
        and ${eventIsFrom('sending', 'e')} and ${findingIn(ANSWERS, 'e')}
        and e.at >= $1::timestamptz - interval '1 day' and b.at >= $1::timestamptz - interval '1 day') a
    join transactions t on ${orders.key.match('t', 'o')} and t.seq = a.seq and t.original_seq is null
    where ${ARE_EVENTS_HERE}
    group by 2, 3, 4
    on conflict (width, begins_at, terminal, cell) do update
    set answers = answer_times.answers + excluded.answers,
      slowest_ms = greatest(answer_times.slowest_ms, excluded.slowest_ms)`,
  again: statement('figures-again')`
    insert into recounted_spans values ($1, $2)
    on conflict (begins_at) do update set due_at = least(recounted_spans.due_at, excluded.due_at)`,
  unplan: statement('figures-unplan')`delete from recounted_spans where begins_at >= $1 and begins_at < $2`,
  // $3: spans that end later than this may still get orders.
  plan: statement('figures-plan')`
    insert into recounted_spans
    select s, $4 from generate_series($1::timestamptz, $2::timestamptz - interval '${FINEST} minutes',
      interval '${FINEST} minutes') s
    where s + interval '${FINEST} minutes' > $3 or exists (
      select from figures f where f.width = ${FINEST} and f.begins_at = s and ${statusIn(openStatuses, 'f')})`,
};

/** Wider spans, each out of narrower ones. */
const wider = SPAN_WIDTHS.slice(1).flatMap((width, index) => {
  const narrow = present(SPAN_WIDTHS[index]);
  const [begin, end] = [spanOf('$1::timestamptz', width), spanOf(`$2::timestamptz - interval '1 millisecond'`, width)];
  const within = `begins_at >= ${begin} and begins_at < ${end} + interval '${width} minutes'`;
  return [
    statement(`figures-forget-${width}`)`delete from figures where width = ${width} and ${within}`,
    statement(`figures-count-${width}`)`
    insert into figures
    select ${width}, ${spanOf('begins_at', width)}, merchant_id, endpoint_id, currency, operation, status, reason,
      sum(orders), sum(amount)
    from figures where width = ${narrow} and ${within} group by 2, 3, 4, 5, 6, 7, 8`,
    statement(`figures-forget-terminals-${width}`)`delete from terminal_figures where width = ${width} and ${within}`,
    statement(`figures-count-terminals-${width}`)`
    insert into terminal_figures
    select ${width}, ${spanOf('begins_at', width)}, merchant_id, endpoint_id, currency, terminal, status, sum(orders)
    from terminal_figures where width = ${narrow} and ${within} group by 2, 3, 4, 5, 6, 7`,
    statement(`figures-forget-times-${width}`)`delete from answer_times where width = ${width} and ${within}`,
    statement(`figures-count-times-${width}`)`
    insert into answer_times
    select ${width}, ${spanOf('begins_at', width)}, terminal, cell, sum(answers), max(slowest_ms)
    from answer_times where width = ${narrow} and ${within} group by 2, 3, 4`,
  ];
});

/** At most so much of the past is counted in one transaction. */
const LOT_MS = 12 * SPAN_MS;

type Span = { readonly from: number; readonly to: number };
/** What is counted next, and from where to where all is counted then. */
type Lot = { readonly span: Span; readonly counted: Span };

export type FigureCounts = {
  /** Counts one lot, and tells whether another is due. Nothing is done while another node counts. */
  countLot(now: number): Promise<boolean>;
  /** Counts orders that were made at this time again: one of them changed after all of them had ended. */
  countAgain(madeAt: number, now: number): Promise<void>;
};

export function figureCounts(database: Database): FigureCounts {
  return {
    countLot: (now) =>
      database
        .transaction((session) => countNext(session, now))
        .catch((error) => {
          if (error instanceof DatabaseError && error.sqlState === LOCK_NOT_AVAILABLE) return false;
          throw error;
        }),
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

async function countNext(session: Session, now: number): Promise<boolean> {
  const held = await heldBy(session);
  if (!held) return false;
  const { from = spanBegin(now - SETTLES_MS), to = from } = held;
  const next = await nextLot(session, { from, to }, now);
  if (!next) return false;
  await countSpan(session, next.span, now);
  const marks = [next.counted.from, next.counted.to, now].map((moment) => new Date(moment));
  await session.query(statements.mark, marks);
  return true;
}

/** What is new comes first, then what may have changed, then what is older than all that was counted. */
async function nextLot(session: Session, counted: Span, now: number): Promise<Lot | undefined> {
  const present = spanBegin(now) + SPAN_MS;
  if (counted.to < present) {
    const settled = spanBegin(now - SETTLES_MS);
    const [first] =
      counted.to < settled ? byTime(await overShards(session, statements.earliest, [new Date(counted.to)])) : [];
    // What is empty and so old that it stays so is left out.
    const from = Math.max(counted.to, Math.min(settled, first ? spanBegin(first.at) : settled));
    const to = Math.min(present, from + LOT_MS);
    return { span: { from, to }, counted: { from: counted.from, to } };
  }
  const [due] = await session.query(statements.due, [new Date(now)]);
  // It may lie before all that is counted, where everything is counted again.
  if (due) return { span: { from: due.beginsAt, to: due.beginsAt + SPAN_MS }, counted };
  const last = byTime(await overShards(session, statements.latest, [new Date(counted.from)])).at(-1);
  if (!last) return undefined;
  const end = spanBegin(last.at) + SPAN_MS;
  const from = Math.max(spanBegin(last.at, LOT_MS), end - LOT_MS);
  return { span: { from, to: end }, counted: { from, to: counted.to } };
}

const byTime = <T extends { readonly at: number }>(rows: readonly T[]) =>
  rows.toSorted((one, other) => one.at - other.at);

async function countSpan(session: Session, { from, to }: Span, now: number): Promise<void> {
  const range = [new Date(from), new Date(to)];
  const { forget, count, forgetTerminals, countTerminals, forgetTimes, countTimes } = statements;
  const own = [forget, count, forgetTerminals, countTerminals, forgetTimes, countTimes];
  const again = new Date(now + recountAfter(now - to));
  await session.flight([
    ...[...own, ...wider, statements.unplan].map((one) => stepOverShards(one, range)),
    { statement: statements.plan, values: [...range, new Date(now - SETTLES_MS), again] },
  ]);
}
