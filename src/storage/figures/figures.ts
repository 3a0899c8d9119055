// Figures as they were counted, summed up for the overview: along the spans of a range, never along orders.

import type { CellCount } from '../../domain/figures/answer-times.ts';
import { REASONED } from '../../domain/figures/end-reasons.ts';
import { type FigureRange, SPAN_WIDTHS, spanBegin } from '../../domain/figures/spans.ts';
import type { OrderOperation } from '../../domain/order/order.ts';
import { openStages, openStatuses, type PublicStatus } from '../../domain/order/stages.ts';
import { overShards } from '../cluster/over-shards.ts';
import type { Database } from '../database.ts';
import { orders } from '../orders/order-rows.ts';
import { STATUS } from '../orders/order-status.ts';
import { stageIn, statusIn } from '../orders/order-words.ts';
import { COLUMNS, column, type RowOf, statement } from '../tables/index.ts';

/** Whose orders, and which of them. */
export type FigureQuery = {
  readonly merchantIds: readonly number[];
  readonly endpointId: number | undefined;
  readonly currency: string | undefined;
  readonly range: FigureRange;
};

const OF_QUERY = `merchant_id = any($1::bigint[]) and ($2::bigint is null or endpoint_id = $2)
      and ($3::text is null or currency = $3)`;
const IN_RANGE = `width = $4 and begins_at >= $5 and begins_at < $6`;

const sums = { orders: column.id('sum(orders)'), amount: column.bigint('sum(amount)') };
const status = column.text<PublicStatus>('status');
const kind = { status, currency: column.text('currency'), operation: column.text<OrderOperation>('operation') };

const pointColumns = {
  at: column.moment(`date_bin(make_interval(secs => $7::int), begins_at, $5::timestamptz)`),
  ...kind,
  ...sums,
};
const outcomeColumns = { ...kind, ...sums };
const reasonColumns = { status, reason: column.text('reason'), orders: sums.orders };
const terminalColumns = { terminal: column.text('terminal'), status, orders: sums.orders };
const timeColumns = {
  terminal: column.text('terminal'),
  cell: column.int('cell'),
  answers: column.id('sum(answers)'),
  slowestMs: column.id('max(slowest_ms)'),
};

/** More than anybody reads; what lies behind is the least. */
const MOST_REASONS = 50;
const MOST_LOOKED = 10_000;
const [FINEST] = SPAN_WIDTHS;
const UNFINISHED = `width = ${FINEST} and ${statusIn(openStatuses)} and merchant_id = any($1::bigint[])`;

const statements = {
  points: statement('figures-points', pointColumns)`
    select ${COLUMNS} from figures where ${OF_QUERY} and ${IN_RANGE} group by 1, 2, 3, 4`,
  // Up to a moment within a wide span the narrowest ones are summed up: $4 the width, $5 to $6 of it, and on to $7.
  within: statement('figures-within', outcomeColumns)`
    select ${COLUMNS} from figures
    where ${OF_QUERY} and (${IN_RANGE} or width = ${FINEST} and begins_at >= $6 and begins_at < $7)
    group by 1, 2, 3`,
  reasons: statement('figures-reasons', reasonColumns)`
    select ${COLUMNS} from figures
    where ${OF_QUERY} and ${IN_RANGE} and ${statusIn(REASONED)}
    group by 1, 2 order by 3 desc, 1, 2 limit ${MOST_REASONS}`,
  terminals: statement('figures-terminals', terminalColumns)`
    select ${COLUMNS} from terminal_figures where ${OF_QUERY} and ${IN_RANGE} group by 1, 2`,
  times: statement('figures-times', timeColumns)`
    select ${COLUMNS} from answer_times where width = $1 and begins_at >= $2 and begins_at < $3 group by 1, 2`,
  counted: statement('figures-counted', {
    at: column.moment('at').optional(),
    from: column.moment('from_at').optional(),
  })`select ${COLUMNS} from figures_counted`,
  unfinished: statement('figures-unfinished', { orders: column.id('coalesce(sum(orders), 0)') })`
    select ${COLUMNS} from figures where ${UNFINISHED}`,
  // The oldest spans that had such orders when they were counted, and the oldest order in them that still is one.
  // Span by span along the index: joined at once, the planner reads all orders.
  oldest: statement('figures-oldest-unfinished', {
    ...orders.pick('merchantId', 'orderId', 'createdAt').of('o').parts,
    status: column.text<PublicStatus>(STATUS('o.stage')),
  })`
    select ${COLUMNS} from (
      select merchant_id, begins_at from figures where ${UNFINISHED} group by 1, 2 order by 2, 1 limit 20) s
    cross join lateral (
      select o.merchant_id, o.order_id, o.created_at, p.stage from orders o
      cross join lateral (
        select t.stage from transactions t where ${orders.key.match('t', 'o')} and t.original_seq is null
        order by t.seq desc limit 1) p
      where o.merchant_id + 0 = s.merchant_id and o.created_at >= s.begins_at
        and o.created_at < s.begins_at + interval '${FINEST} minutes' and ${stageIn(openStages, 'p')}
      order by o.created_at, o.order_id limit 1) o
    order by o.created_at, o.order_id limit 1`,
  callbacks: statement('figures-callbacks', {
    waiting: column.int('count(*) filter (where merchant_id = any($1::bigint[]))::int'),
    looked: column.int('count(*)::int'),
    oldestAt: column.moment('min(created_at) filter (where merchant_id = any($1::bigint[]))').optional(),
  })`
    select ${COLUMNS} from (
      select merchant_id, created_at from callbacks where due_at is not null order by due_at limit ${MOST_LOOKED}) c`,
};

type Made = { readonly createdAt: number; readonly orderId: number };
const oldestFirst = (one: Made, other: Made) => one.createdAt - other.createdAt || one.orderId - other.orderId;

export type PointRow = RowOf<typeof pointColumns>;
export type OutcomeRow = RowOf<typeof outcomeColumns>;
export type TerminalTimes = CellCount & { readonly terminal: string };

export type FigureStore = ReturnType<typeof figureStore>;

export function figureStore(database: Database) {
  return {
    /** Everything that is counted by merchant. */
    async read({ merchantIds, endpointId, currency, range }: FigureQuery) {
      const { from, to, stepMs, width, compared, before } = range;
      const whose = [merchantIds, endpointId, currency, width];
      const inRange = [...whose, new Date(from), new Date(to)];
      const within = (time: FigureRange['before']) => {
        const cut = spanBegin(time.to, width * 60_000);
        return [...whose, ...[time.from, cut, time.to].map((moment) => new Date(moment))];
      };
      const [points, now, earlier, reasons, [counted]] = await database.flight([
        { statement: statements.points, values: [...inRange, stepMs / 1000] },
        { statement: statements.within, values: within(compared) },
        { statement: statements.within, values: within(before) },
        { statement: statements.reasons, values: inRange },
        { statement: statements.counted, values: [] },
      ]);
      return { points, compared: now, before: earlier, reasons, counted };
    },
    /** By terminal: what became there of orders it was asked about, and of everybody's how long its answers took. */
    async terminals({ merchantIds, endpointId, currency, range: { from, to, width } }: FigureQuery) {
      const span = [width, new Date(from), new Date(to)];
      const [outcomes, times] = await database.flight([
        { statement: statements.terminals, values: [merchantIds, endpointId, currency, ...span] },
        { statement: statements.times, values: span },
      ]);
      return { outcomes, times };
    },
    /** Orders that have not ended: how many when they were last counted, and the oldest as it is now. */
    async unfinished(merchantIds: readonly number[]) {
      const [[count], oldest] = await Promise.all([
        database.query(statements.unfinished, [merchantIds]),
        overShards(database, statements.oldest, [merchantIds]),
      ]);
      return { orders: count?.orders ?? 0, oldest: oldest.toSorted(oldestFirst)[0] };
    },
    /** Callbacks that wait; of very many those that are due first are looked at. */
    async callbacks(merchantIds: readonly number[]) {
      const rows = await overShards(database, statements.callbacks, [merchantIds]);
      const oldest = rows.flatMap(({ oldestAt }) => oldestAt ?? []);
      return {
        waiting: rows.reduce((sum, { waiting }) => sum + waiting, 0),
        isMore: rows.some(({ looked }) => looked === MOST_LOOKED),
        oldestAt: oldest.length > 0 ? Math.min(...oldest) : undefined,
      };
    },
  };
}
