// Made-up orders for a sandbox, thousands in one statement: what merchants and cards they are of is given, what became
// of each is thrown by the server, and every row is written that an order of the gateway would have left.

import { CARD, CARD_ENDS_OF_ROW, insertCards } from '../cards/card-rows.ts';
import type { Database } from '../database.ts';
import { countAgainUpTo } from '../figures/counting.ts';
import type { StoredCard } from '../store.ts';
import { shardOfId, statement } from '../tables/index.ts';
import { type Column, columnValues, unnest } from '../wire/columns.ts';
import { ADD_TO_ACCOUNTS } from './ledger-rows.ts';

export type SeededOrder = {
  readonly merchantId: number;
  readonly orderId: number;
  readonly endpointId: number;
  readonly currency: string;
  /** Numbers the payer, whose e-mail and network address are made of it. */
  readonly payer: number;
  /** Numbers the instruction that gives its money back, if it is one of those. */
  readonly traceId: number;
  readonly createdAt: number;
  readonly card: StoredCard;
};

export type SeedStore = {
  write(orders: readonly SeededOrder[]): Promise<void>;
};

const SEED: readonly Column<SeededOrder>[] = [
  ['merchant_id', 'bigint', ({ merchantId }) => merchantId],
  ['order_id', 'bigint', ({ orderId }) => orderId],
  ['endpoint_id', 'bigint', ({ endpointId }) => endpointId],
  ['currency', 'text', ({ currency }) => currency],
  ['payer', 'bigint', ({ payer }) => payer],
  ['trace_id', 'bigint', ({ traceId }) => traceId],
  ['created_at', 'timestamptz', ({ createdAt }) => createdAt],
  ...CARD,
];

/** A serial number as the gateway makes them: the milliseconds first, then chance. */
const serialAt = (ms: string) =>
  `(overlay(overlay(lpad(to_hex(${ms}), 12, '0') || md5(random()::text) placing '7' from 13) placing '8' from 17 for 1))`;
const uuid = (hex: string) => `substr(${hex}, 1, 32)::uuid`;

/** A receipt's id has the order's, as `newReceiptId` writes it. */
const RECEIPT = `overlay(overlay(lpad(to_hex(order_id), 14, '0') || md5(random()::text) placing '8' || substr(
          lpad(to_hex(order_id), 14, '0'), 13, 2) from 13 for 2) placing '8' from 17)`;

const msOf = (moment: string) => `(extract(epoch from ${moment}) * 1000)::bigint`;

/** Of a hundred orders so many end like this; the rest is approved and stays so. */
const OUTCOMES = `case
        when dice < 0.0001 then 'stuck' when dice < 0.006 then 'error' when dice < 0.02 then 'filtered'
        when dice < 0.12 then 'declined' when dice < 0.16 then 'returned' else 'approved' end`;

const answer = (word: string) => `'{"word":"approved","approvalCode":"' || ${word}code || '","rrn":"' || ${word}rrn
        || '","processorTxId":"PNSEED-' || order_id || '","terminalId":"TENDER01"}'`;

const DECLINE = `'{"word":"declined","code":"' || decline_code || '","rrn":"' || rrn || '","processorTxId":"PNSEED-'
        || order_id || '"}'`;

const moved = (seq: number, to: string, at: string, told: string) =>
  `('{"type":"transaction-moved","seq":${seq},"from":"sending","to":"' || ${to} || '","fromLeg":1,"leg":1,"finding":"'
        || ${to} || '","at":' || ${at} || ',"attempts":0,"sends":1' || coalesce(',"answer":' || ${told}, '') || '}')::json`;

const BEGUN = `('{"type":"transaction-begun","transaction":{"seq":2,"type":"reversal","amount":"' || amount
        || '","legs":1,"terminal":"demo-bank","traceId":' || trace_id || ',"originalSeq":1,"requestSerial":"'
        || back_serial || '","stage":"sending","leg":1,"dueAt":' || back_ms + 45000 || ',"attempts":0,"sends":0,"createdAt":'
        || back_ms || ',"changedAt":' || back_ms || '},"at":' || back_ms || '}')::json`;

const SHARD = shardOfId('merchant_id');

const IS_PAID = `outcome in ('approved', 'returned')`;

const insertSeeded = statement<never>('orders-seed')`
    with thrown as materialized (
      select r.*, random() as dice, ${msOf('r.created_at')} as ms, 100 + (random() ^ 3 * 50000)::bigint as amount,
        upper(substr(md5(random()::text), 1, 6)) as code, upper(substr(md5(random()::text), 1, 6)) as back_code,
        lpad((random() * 999999999999)::bigint::text, 12, '0') as rrn,
        lpad((random() * 999999999999)::bigint::text, 12, '0') as back_rrn,
        (array['100', '103', '110', '116', '119'])[1 + (random() * 4)::int] as decline_code,
        random() < 0.2 as is_told, random() < 0.03 as is_lost, random() < 0.02 as was_refused, random() < 0.1 as is_held
      from ${unnest('r', SEED)}
    ), decided as materialized (
      select t.*, ${OUTCOMES} as outcome, ms + 100 + (random() * 900)::int as end_ms, ms + 60000 as back_ms,
        ${uuid(serialAt('ms'))} as serial, ${uuid(serialAt('ms + 60000'))} as back_serial
      from thrown t
    ), made as materialized (
      select d.*, case when outcome = 'returned' then 'approved' else outcome end as stage,
        to_timestamp(end_ms / 1000.0) as ended_at, to_timestamp(back_ms / 1000.0) as back_at,
        case when outcome = 'declined' and is_held then 'preauth' else 'sale' end as operation,
        'payer' || payer || '@example.com' as email,
        '10.' || payer % 200 || '.' || payer / 200 % 250 || '.' || payer % 251 as address
      from decided d
    ), written_orders as (
      insert into orders (shard, merchant_id, order_id, endpoint_id, client_order_id, operation, currency, notation, amount,
        alternatives, unsigned, authorised, captured, released, reversed, version, card_id, card_ends, details, callbacks,
        receipt_id, created_at, changed_at)
      select ${SHARD}, merchant_id, order_id, endpoint_id, 'seed-' || order_id, operation, currency, 'major', amount, '{}', false,
        case when ${IS_PAID} then amount else 0 end, case when ${IS_PAID} then amount else 0 end, 0,
        case when outcome = 'returned' then amount else 0 end,
        case outcome when 'filtered' then 1 when 'returned' then 4 else 2 end, order_id, ${CARD_ENDS_OF_ROW},
        ('{"description":"A made-up order","email":"' || email || '","ipAddress":"' || address || '"'
          || case when is_told then ',"serverCallbackUrl":"https://shop.example/callbacks"' else '' end || '}')::json,
        case when is_told then '{"server": "shop.example:443"}'::jsonb end,
        ${uuid(RECEIPT)}, created_at,
        case outcome when 'filtered' then created_at when 'returned' then back_at else ended_at end
      from made
    ), written_transactions as (
      insert into transactions (shard, merchant_id, order_id, seq, type, amount, stage, leg, legs, attempts, sends,
        request_serial, fingerprint, approval_code, rrn, processor_tx_id, terminal_id, decline_code, filter_reason,
        created_at, changed_at)
      select ${SHARD}, merchant_id, order_id, 1, operation, amount, stage, 1, 1, 0, case outcome when 'filtered' then 0 else 1 end,
        serial, decode(md5(serial::text), 'hex'), case when ${IS_PAID} then code end,
        case when ${IS_PAID} or outcome = 'declined' then rrn end,
        case when ${IS_PAID} or outcome = 'declined' then 'PNSEED-' || order_id end,
        case when ${IS_PAID} then 'TENDER01' end, case when outcome = 'declined' then decline_code end,
        case when outcome = 'filtered' then 'card-blocked' end, created_at,
        case when outcome = 'filtered' then created_at else ended_at end
      from made
    ), written_returns as (
      insert into transactions (shard, merchant_id, order_id, seq, type, amount, stage, leg, legs, original_seq, trace_id, attempts,
        sends, request_serial, fingerprint, approval_code, rrn, processor_tx_id, terminal_id, created_at, changed_at)
      select ${SHARD}, merchant_id, order_id, 2, 'reversal', amount, 'approved', 1, 1, 1, trace_id, 0, 1, back_serial,
        decode(md5(back_serial::text), 'hex'), back_code, back_rrn, 'PNSEED-' || order_id, 'TENDER01', back_at, back_at
      from made where outcome = 'returned'
    ), written_cards as (
      ${insertCards('made', 'made.order_id')} from made
    ), written_events as (
      insert into order_events (shard, merchant_id, order_id, version, at, event)
      select ${SHARD}, merchant_id, order_id, 1, created_at, ('{"type": "order-started", "amount": ' || amount || ', "serial": "'
        || serial || '", "stage": "' || case outcome when 'filtered' then 'filtered' else 'sending' end || '"}')::json
      from made
      union all
      select ${SHARD}, merchant_id, order_id, 2, ended_at, ${moved(
        1,
        'stage',
        'end_ms',
        `case when ${IS_PAID} then ${answer('')} when outcome = 'declined' then ${DECLINE} end`,
      )}
      from made where outcome <> 'filtered'
      union all
      select ${SHARD}, merchant_id, order_id, 3, back_at, ${BEGUN} from made where outcome = 'returned'
      union all
      select ${SHARD}, merchant_id, order_id, 4, back_at, ${moved(2, 'stage', 'back_ms', answer('back_'))}
      from made where outcome = 'returned'
    ), written_callbacks as (
      insert into callbacks (shard, merchant_id, order_id, seq, target, destination, state, attempts, tries, scheduled_at,
        created_at, changed_at)
      select ${SHARD}, merchant_id, order_id, 1, 'server', 'shop.example:443', case when is_lost then 'failed' else 'delivered' end,
        1, 1, ended_at, ended_at, ended_at
      from made where is_told and outcome <> 'stuck'
    ), written_attempts as (
      insert into callback_attempts (shard, merchant_id, order_id, seq, target, at, http_status, milliseconds, answer)
      select ${SHARD}, merchant_id, order_id, 1, 'server', ended_at, case when is_lost then 500 else 200 end, 20, 'seeded'
      from made where is_told and outcome <> 'stuck'
    ), written_lines as (
      insert into journal (shard, serial_number, at, operation, path_id, merchant_id, order_id, http_status, error_code, request,
        reply, milliseconds)
      select ${SHARD}, serial, created_at, upper(operation), endpoint_id::text, merchant_id, order_id, 200, null::integer,
        ('{"client_orderid":"seed-' || order_id || '"}')::json, ('{"paynet-order-id":"' || order_id || '"}')::json, 10
      from made
      union all
      select ${SHARD}, back_serial, back_at, 'RETURN', endpoint_id::text, merchant_id, order_id, 200, null,
        ('{"client_orderid":"seed-' || order_id || '"}')::json, ('{"paynet-order-id":"' || order_id || '"}')::json, 10
      from made where outcome = 'returned'
      union all
      select ${SHARD}, ${uuid(serialAt('ms + 1'))}, created_at, 'SALE', endpoint_id::text, merchant_id, null, 400, 2,
        '{"amount":"-1"}'::json, '{"type":"validation-error","error-code":"2"}'::json, 1
      from made where was_refused
    ), counted_again as (${countAgainUpTo('(select max(created_at) from made)')}
    ), entries as (
      insert into ledger_entries (shard, merchant_id, order_id, seq, line, account, currency, amount, at)
      select ${SHARD}, merchant_id, order_id, 1, line, account, currency, sign * amount, ended_at
      from made, (values (1, 'clearing', -1), (2, 'merchant', 1)) as lines(line, account, sign) where ${IS_PAID}
      union all
      select ${SHARD}, merchant_id, order_id, 2, line, account, currency, sign * amount, back_at
      from made, (values (1, 'merchant', -1), (2, 'clearing', 1)) as lines(line, account, sign) where outcome = 'returned'
      returning merchant_id, account, currency, amount
    )${ADD_TO_ACCOUNTS}`;

export function seedStore(database: Database): SeedStore {
  return {
    async write(orders) {
      await database.query(insertSeeded, columnValues(SEED, orders));
    },
  };
}
