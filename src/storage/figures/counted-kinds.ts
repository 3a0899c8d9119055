// What is counted of orders, each in a table of its own: a statement that counts a few orders, one that writes what was
// added up of all, and those that make wider spans of narrower ones.

import { ANSWERS, CELL_ENDS } from '../../domain/figures/answer-times.ts';
import { SPAN_WIDTHS } from '../../domain/figures/spans.ts';
import { present } from '../../domain/present.ts';
import { orders } from '../orders/order-rows.ts';
import { END_REASON, STATUS, STATUS_AT_TERMINAL, WENT_TO_TERMINAL } from '../orders/order-status.ts';
import { eventIs, eventIsFrom, findingIn, operationIs } from '../orders/order-words.ts';
import { COLUMNS, column, statement } from '../tables/index.ts';

/** The beginning of the span of so many minutes that a moment lies in. */
export const spanBeginOf = (moment: string, minutes: number) =>
  `date_bin('${minutes} minutes', ${moment}, timestamptz '1970-01-01 00:00:00+00')`;

const [FINEST] = SPAN_WIDTHS;
const SPAN = spanBeginOf('o.created_at', FINEST);

/** The orders of these keys and no other, made since `$3`; each is found by its key, whatever the planner believes. */
const ORDERS = `(select unnest($1::bigint[]) as merchant_id, unnest($2::bigint[]) as order_id) k
    cross join lateral (
      select o.* from orders o where o.merchant_id = k.merchant_id and o.order_id = k.order_id and o.created_at >= $3
      limit 1) o`;

/** How long banks took is counted of the changes of orders: of months that were archived, what was counted stays. */
const areEventsHere = (since: string) => `not exists (
      select from archives where table_name = 'order_events' and ended_at > ${since}::timestamptz)`;

/** Counted of some orders: what the count is of, as a list in JSON, and beside the number a sum or the most. */
const counted = (of: string, beside: string) => ({
  of: column.text(`json_build_array(${of})::text`),
  number: column.id('count(*)'),
  beside: column.bigint(`(${beside})::numeric`),
});

/** What was added up of orders made since `$2`. */
const ADDED_UP = `(
      select x.*, (of ->> 0)::timestamptz as begins_at
      from json_to_recordset($1::json) as x(of json, number bigint, beside numeric)) x
    where begins_at >= $2`;
const inRange = `width = ${FINEST} and begins_at >= $1 and begins_at < $2`;

const figures = {
  // What a bank returned of a payout was not paid out.
  count: statement(
    'figures-count',
    counted(
      `${SPAN}, o.merchant_id, o.endpoint_id, o.currency, o.operation, p.status, p.reason`,
      `sum(p.amount - case when ${operationIs('payout', 'o')} then o.reversed else 0 end)`,
    ),
  )`
    select ${COLUMNS} from ${ORDERS}
    cross join lateral (
      select t.amount, ${STATUS('t.stage')} as status, ${END_REASON} as reason
      from transactions t where ${orders.key.match('t', 'o')} and t.original_seq is null
      order by t.seq desc limit 1) p
    group by ${SPAN}, o.merchant_id, o.endpoint_id, o.currency, o.operation, p.status, p.reason`,
  forget: statement('figures-forget')`delete from figures where ${inRange}`,
  write: statement('figures-write')`
    insert into figures
    select ${FINEST}, begins_at, (of ->> 1)::bigint, (of ->> 2)::bigint, of ->> 3, of ->> 4, of ->> 5,
      of ->> 6, number, beside
    from ${ADDED_UP}`,
};

const terminalFigures = {
  count: statement(
    'figures-count-terminals',
    counted(`${SPAN}, o.merchant_id, o.endpoint_id, o.currency, p.terminal, p.status`, '0'),
  )`
    select ${COLUMNS} from ${ORDERS}
    cross join lateral (
      select distinct on (t.terminal) t.terminal, ${STATUS_AT_TERMINAL} as status
      from transactions t where ${orders.key.match('t', 'o')} and ${WENT_TO_TERMINAL}
      order by t.terminal, t.seq desc) p
    group by ${SPAN}, o.merchant_id, o.endpoint_id, o.currency, p.terminal, p.status`,
  forget: statement('figures-forget-terminals')`delete from terminal_figures where ${inRange}`,
  write: statement('figures-write-terminals')`
    insert into terminal_figures
    select ${FINEST}, begins_at, (of ->> 1)::bigint, (of ->> 2)::bigint, of ->> 3, of ->> 4, of ->> 5,
      number
    from ${ADDED_UP}`,
};

const CELL = `width_bucket(a.ms, array[${CELL_ENDS.join(', ')}]::numeric[])`;

const answerTimes = {
  // An instruction is on its way from the event before: of one order, one thing happens after the other.
  count: statement('figures-count-times', counted(`${SPAN}, t.terminal, ${CELL}`, 'max(a.ms)::bigint'))`
    select ${COLUMNS} from ${ORDERS}
    cross join lateral (
      select (e.event ->> 'seq')::int as seq, greatest(0, extract(epoch from e.at - b.at) * 1000) as ms
      from order_events e join order_events b on ${orders.key.match('b', 'e')} and b.version = e.version - 1
      where ${orders.key.match('e', 'o')} and ${eventIs('transaction-moved', 'e')}
        and ${eventIsFrom('sending', 'e')} and ${findingIn(ANSWERS, 'e')}
        and e.at >= $3::timestamptz - interval '1 day' and b.at >= $3::timestamptz - interval '1 day') a
    join transactions t on ${orders.key.match('t', 'o')} and t.seq = a.seq and t.original_seq is null
    group by ${SPAN}, t.terminal, ${CELL}`,
  forget: statement('figures-forget-times')`delete from answer_times where ${inRange} and ${areEventsHere('$1')}`,
  write: statement('figures-write-times')`
    insert into answer_times
    select ${FINEST}, begins_at, of ->> 1, (of ->> 2)::int, number, beside
    from ${ADDED_UP} and ${areEventsHere('$2')}`,
};

export const countedKinds = { figures, terminalFigures, answerTimes };

/** Wider spans, each out of narrower ones, from `$1` to `$2`. */
export const wider = SPAN_WIDTHS.slice(1).flatMap((width, index) => {
  const narrow = present(SPAN_WIDTHS[index]);
  const [begin, end] = [
    spanBeginOf('$1::timestamptz', width),
    spanBeginOf(`$2::timestamptz - interval '1 millisecond'`, width),
  ];
  const within = `begins_at >= ${begin} and begins_at < ${end} + interval '${width} minutes'`;
  return [
    statement(`figures-forget-${width}`)`delete from figures where width = ${width} and ${within}`,
    statement(`figures-count-${width}`)`
    insert into figures
    select ${width}, ${spanBeginOf('begins_at', width)}, merchant_id, endpoint_id, currency, operation, status, reason,
      sum(orders), sum(amount)
    from figures where width = ${narrow} and ${within} group by 2, 3, 4, 5, 6, 7, 8`,
    statement(`figures-forget-terminals-${width}`)`delete from terminal_figures where width = ${width} and ${within}`,
    statement(`figures-count-terminals-${width}`)`
    insert into terminal_figures
    select ${width}, ${spanBeginOf('begins_at', width)}, merchant_id, endpoint_id, currency, terminal, status, sum(orders)
    from terminal_figures where width = ${narrow} and ${within} group by 2, 3, 4, 5, 6, 7`,
    statement(`figures-forget-times-${width}`)`delete from answer_times where width = ${width} and ${within}`,
    statement(`figures-count-times-${width}`)`
    insert into answer_times
    select ${width}, ${spanBeginOf('begins_at', width)}, terminal, cell, sum(answers), max(slowest_ms)
    from answer_times where width = ${narrow} and ${within} group by 2, 3, 4`,
  ];
});
