// What was approved in a day of UTC at terminals that have a limit of the day: counted in the transaction of the
// approval itself.

import type { DayUse } from '../../domain/acquirer/routing.ts';
import { movesNoMoney } from '../../domain/order/transaction-types.ts';
import type { Database, Session, Step } from '../database.ts';
import type { OrderChange } from '../store.ts';
import { COLUMNS, Columns, column, type RowOf, shardOfBatch, statement } from '../tables/index.ts';
import { columnValues, unnest } from '../wire/columns.ts';
import { orders } from './order-rows.ts';

/** Whether what is approved at the terminal is counted. */
export type IsCounted = (terminal: string) => boolean;

const days = new Columns({
  terminal: column.text('terminal'),
  currency: column.text('currency'),
  payments: column.id('payments'),
  amount: column.bigint('amount'),
});

const approvedColumns = new Columns({
  ...orders.pick('merchantId', 'orderId', 'version', 'currency').parts,
  terminal: column.text('terminal'),
  amount: column.bigint('amount'),
  at: column.moment('at'),
});
type ApprovedRow = RowOf<typeof approvedColumns.parts>;
const APPROVED = approvedColumns.batchOfRows();

// A change that met a conflict was not written: then the order has another time, or another version. In the order of
// the key, so that nodes that meet over several terminals wait for each other and never in a circle.
const LATER = `
    on conflict (terminal, day, currency)
      do update set payments = d.payments + excluded.payments, amount = d.amount + excluded.amount`;

const count = statement<never>('terminal-days-count')`
    insert into terminal_days as d (terminal, day, currency, payments, amount)
    select r.terminal, (r.at at time zone 'UTC')::date, r.currency, count(*), sum(r.amount)
    from ${unnest('r', APPROVED)}
    join orders o on ${orders.key.among('o', 'r', shardOfBatch())} and o.version = r.version and o.changed_at = r.at
    group by 1, 2, 3 order by 1, 2, 3${LATER}`;

const selectWritten = statement('terminal-days-written', orders.pick('orderId').of('o'))`
    select ${COLUMNS} from unnest($1::bigint[], $2::bigint[], $3::int[], $4::timestamptz[])
      as r(merchant_id, order_id, version, at)
    cross join lateral (
      select * from orders o where ${orders.key.among('o', 'r', shardOfBatch())} offset 0) o
    where o.version = r.version and o.changed_at = r.at`;

const add = statement<never>('terminal-days-add')`
    insert into terminal_days as d (terminal, day, currency, payments, amount)
    values ($1, ($2::timestamptz at time zone 'UTC')::date, $3, 1, $4)${LATER}`;

/** The table is whole on every server, and is written by itself. */
async function countApart(session: Session, approved: readonly ApprovedRow[]): Promise<never[]> {
  const keys = [approved.map((one) => one.merchantId), approved.map((one) => one.orderId)];
  const versions = [approved.map(({ version }) => version), approved.map(({ at }) => new Date(at))];
  const written = await session.query(selectWritten, [...keys, ...versions]);
  const ids = new Set(written.map(({ orderId }) => orderId));
  const placeOf = ({ terminal, at, currency }: ApprovedRow) => `${terminal} ${at} ${currency}`;
  const counted = approved.filter(({ orderId }) => ids.has(orderId));
  for (const one of counted.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))) {
    await session.query(add, [one.terminal, new Date(one.at), one.currency, one.amount]);
  }
  return [];
}

const read = statement('terminal-days-read', days)`
    select ${COLUMNS} from terminal_days where day = ($1::timestamptz at time zone 'UTC')::date`;

const forget = statement('terminal-days-forget')`
    delete from terminal_days where day < ($1::timestamptz at time zone 'UTC')::date`;

/** Nothing where no terminal has a limit. */
export function countingSteps(changes: readonly OrderChange[], isCounted: IsCounted): Step<never>[] {
  const approved = changes.flatMap(({ before, after }) => {
    const { merchantId, orderId, version, currency } = after;
    return after.transactions.flatMap(({ seq, type, stage, terminal, amount, originalSeq, changedAt: at }) => {
      const isNew = stage === 'approved' && before.transactions[seq - 1]?.stage !== 'approved';
      if (!isNew || originalSeq !== undefined || movesNoMoney(type) || !isCounted(terminal)) return [];
      return [{ merchantId, orderId, version, currency, terminal, amount, at }];
    });
  });
  if (approved.length === 0) return [];
  const apart = (session: Session) => countApart(session, approved);
  return [{ statement: count, values: columnValues(APPROVED, approved), apart }];
}

export type TerminalDayStore = {
  /** By terminal, of the day of this moment. */
  read(at: number): Promise<ReadonlyMap<string, DayUse>>;
  /** Removes what was counted before the day of this moment. */
  forget(before: number): Promise<unknown>;
};

export function terminalDayStore(database: Database): TerminalDayStore {
  return {
    async read(at) {
      const uses = new Map<string, { count: number; amounts: Map<string, bigint> }>();
      for (const { terminal, currency, payments, amount } of await database.query(read, [new Date(at)])) {
        const use = uses.get(terminal) ?? { count: 0, amounts: new Map() };
        use.count += payments;
        use.amounts.set(currency, amount);
        uses.set(terminal, use);
      }
      return uses;
    },
    forget: (before) => database.query(forget, [new Date(before)]),
  };
}
