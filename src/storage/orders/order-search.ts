// Orders that people look for. The most telling thing they know leads along an index of its own; whatever else they
// know is looked at row by row.

import { type Stage, stagesShownAs } from '../../domain/order/stages.ts';
import { LISTED_BY_ID, leadOf, type OrderLead, statusSought, UNUSUAL } from '../../domain/search/order-lead.ts';
import type { OrderSearch } from '../../domain/search/order-search.ts';
import type { Database } from '../database.ts';
import { Columns, column, type IndexWalk, type RowOf, type WalkedPage, walk, walkOn } from '../tables/index.ts';
import { orders } from './order-rows.ts';
import { END_REASON, STATUS, WENT_TO_TERMINAL } from './order-status.ts';
import { stageIn, stageIs } from './order-words.ts';

const listed = orders.pick(
  'merchantId',
  'orderId',
  'endpointId',
  'clientOrderId',
  'operation',
  'currency',
  'amount',
  'reversed',
  'cardEnds',
  'createdAt',
  'changedAt',
);

/** Of the latest transaction that is what the order is for. */
const purpose = (order: string, what: string) => `(
       select ${what} from transactions t where ${orders.key.match('t', order)} and t.original_seq is null
       order by t.seq desc limit 1)`;

const listedColumns = listed.of('o').with({
  stage: column.text<Stage>(purpose('o', 't.stage')),
  email: column.text(`(o.details ->> 'email')`).optional(),
});
export type ListedOrder = RowOf<typeof listedColumns.parts>;

const PARAMETERS = [
  ['from', 'timestamptz'],
  ['orderId', 'bigint'],
  ['clientOrderId', 'text'],
  ['rrn', 'text'],
  ['approvalCode', 'text'],
  ['email', 'text'],
  ['lastFour', 'text'],
  ['bin', 'text'],
  ['address', 'text'],
  ['least', 'bigint'],
  ['most', 'bigint'],
  ['currency', 'text'],
  ['status', 'text'],
  ['reason', 'text'],
  ['operation', 'text'],
  ['endpointId', 'bigint'],
  ['terminal', 'text'],
  ['to', 'timestamptz'],
] as const;
type Parameter = (typeof PARAMETERS)[number][0];

const given = (first: number) => (name: Parameter) => {
  const index = PARAMETERS.findIndex(([one]) => one === name);
  return `$${first + index}::${PARAMETERS[index]?.[1]}`;
};

const EMAIL = (row: string) => `lower(${row}.details ->> 'email')`;
const ADDRESS = (row: string) => `coalesce(${row}.details ->> 'payerAddress', ${row}.details ->> 'ipAddress')`;
const hasTransaction = (what: string) =>
  `exists (select from transactions t where ${orders.key.match('t', 'x')} and ${what})`;

/** Everything that was asked for, the cheap things first. */
function fits(first: number): string {
  const of = given(first);
  const conditions: readonly [Parameter, string][] = [
    ['from', `x.created_at >= ${of('from')}`],
    ['to', `x.created_at < ${of('to')}`],
    ['orderId', `x.order_id = ${of('orderId')}`],
    ['clientOrderId', `x.client_order_id = ${of('clientOrderId')}`],
    ['lastFour', `right(x.card_ends, 4) = ${of('lastFour')}`],
    ['bin', `left(x.card_ends, 6) = ${of('bin')}`],
    ['least', `x.amount >= ${of('least')}`],
    ['most', `x.amount <= ${of('most')}`],
    ['currency', `x.currency = ${of('currency')}`],
    ['operation', `x.operation = ${of('operation')}`],
    ['endpointId', `x.endpoint_id = ${of('endpointId')}`],
    ['email', `${EMAIL('x')} = lower(${of('email')})`],
    ['address', `${ADDRESS('x')} = ${of('address')}`],
    ['status', `${STATUS(purpose('x', 't.stage'))} = ${of('status')}`],
    ['reason', `${purpose('x', END_REASON)} = ${of('reason')}`],
    ['terminal', hasTransaction(`t.terminal = ${of('terminal')} and ${WENT_TO_TERMINAL}`)],
    ['rrn', hasTransaction(`t.rrn = ${of('rrn')}`)],
    ['approvalCode', hasTransaction(`t.approval_code = ${of('approvalCode')}`)],
  ];
  return conditions.map(([name, is]) => `(${of(name)} is null or coalesce(${is}, false))`).join(' and ');
}

const joined = orders.key.match('o', 'f');
const MERCHANT = 'merchant_id + 0 = m.merchant_id';

const byTime = new Columns({ createdAt: column.moment('created_at'), orderId: column.id('order_id') });

/** `leading`: which rows `o` are looked at. */
const walkByTime = (name: string, leading: (of: ReturnType<typeof given>) => string) =>
  walk(`orders-by-${name}`, {
    table: 'orders',
    key: byTime,
    rows: ({ behind, limit, first }) => `
          select o.* from orders o
          where ${leading(given(first))} and o.created_at >= ${given(first)('from')}
            and (o.created_at, o.order_id) < (${behind})
          order by o.created_at desc, o.order_id desc limit ${limit}`,
    fits,
    joined,
    answers: listedColumns,
  });

const byId = new Columns({ orderId: column.id('order_id') });

const walkById = (name: string, leading: (of: ReturnType<typeof given>) => string) =>
  walk(`orders-by-${name}`, {
    table: 'orders',
    key: byId,
    rows: ({ behind, limit, first }) => `
          select o.* from (
            select distinct t.order_id from transactions t
            where t.${MERCHANT} and ${leading(given(first))} and t.order_id < ${behind}
            order by t.order_id desc limit ${limit}
          ) t join orders o on o.merchant_id = m.merchant_id and o.order_id = t.order_id
          order by o.order_id desc`,
    fits,
    joined,
    answers: listedColumns,
  });

/** In the words of the index, `transactions_unusual`. */
const UNUSUAL_STATUS = `t.original_seq is null
              and ${stageIn(stagesShownAs(...UNUSUAL), 't')}
              and case when ${stageIs('filtered', 't')} then 'filtered'
                when ${stageIn(stagesShownAs('unknown'), 't')} then 'unknown' else 'error' end`;

/** Each is the text of one statement, which `test/contracts/order-search.test.ts` has explained. */
export const orderWalks = {
  orderId: walkByTime('id', (of) => `o.merchant_id = m.merchant_id and o.order_id = ${of('orderId')}`),
  clientOrderId: walkByTime(
    'client-id',
    (of) => `o.client_order_id = ${of('clientOrderId')} and o.merchant_id = m.merchant_id`,
  ),
  email: walkByTime('email', (of) => `o.${MERCHANT} and ${EMAIL('o')} = lower(${of('email')})`),
  card: walkByTime(
    'card',
    (of) => `o.${MERCHANT} and o.card_ends is not null and right(o.card_ends, 4) = ${of('lastFour')}`,
  ),
  address: walkByTime('address', (of) => `o.${MERCHANT} and ${ADDRESS('o')} = ${of('address')}`),
  time: walkByTime('time', () => `o.${MERCHANT}`),
  rrn: walkById('rrn', (of) => `t.rrn = ${of('rrn')}`),
  approvalCode: walkById('approval-code', (of) => `t.approval_code = ${of('approvalCode')}`),
  status: walkById('status', (of) => `${UNUSUAL_STATUS} = ${of('status')}`),
} satisfies Record<OrderLead, unknown>;

type TimeKey = RowOf<typeof byTime.parts>;
/** Where a page of orders ended. */
export type OrderPlace = { readonly orderId: number; readonly createdAt?: number };

export type SoughtOrders = {
  readonly merchantIds: readonly number[];
  readonly search: OrderSearch;
  readonly after: OrderPlace | undefined;
  readonly limit: number;
};

/** Later than any order. */
const FAR = Date.UTC(9999, 0, 1);

export async function findOrders(
  database: Database,
  { merchantIds, search, after, limit }: SoughtOrders,
): Promise<WalkedPage<OrderPlace, ListedOrder>> {
  const lead = leadOf(search);
  const common = { merchantIds, limit, values: valuesOf(search), isNarrowed: isNarrowed(search, lead) };
  if (LISTED_BY_ID.has(lead)) {
    const behind = { orderId: after?.orderId ?? Number.MAX_SAFE_INTEGER };
    const keyOf = ({ orderId }: ListedOrder) => ({ orderId });
    // Those that are listed by id have the same key.
    return walkOn(database, orderWalks[lead as 'rrn'], { ...common, behind, keyOf });
  }
  const keyOf = ({ createdAt, orderId }: ListedOrder): TimeKey => ({ createdAt, orderId });
  const behind = { createdAt: after?.createdAt ?? search.to ?? FAR, orderId: after?.orderId ?? 0 };
  // All others have the key of time.
  return walkOn(database, orderWalks[lead as 'time'] as IndexWalk<TimeKey, ListedOrder>, { ...common, behind, keyOf });
}

/** Whether more is asked for than the walk is led by, and than an end of time. */
function isNarrowed({ from, to, ...search }: OrderSearch, lead: OrderLead): boolean {
  const others = Object.entries(search).filter(([name, value]) => value !== undefined && name !== lead);
  const isOfTime = LISTED_BY_ID.has(lead) && (from !== undefined || to !== undefined);
  return others.length > 0 || isOfTime || search.card?.bin !== undefined || lead === 'status';
}

function valuesOf({ card, amounts, from, to, ...search }: OrderSearch): unknown[] {
  const values: Partial<Record<Parameter, unknown>> = {
    ...search,
    ...card,
    ...amounts,
    from: new Date(from ?? 0),
    to: to === undefined ? undefined : new Date(to),
    status: statusSought(search),
  };
  return PARAMETERS.map(([name]) => values[name]);
}
