import { describe, expect, it } from 'vitest';
import { entriesOf, type LedgerEntry, reservationOf } from '../money/ledger.ts';
import { type Command, decide, evolve, type NewOrder, type OrderEvent, startOrder } from './decide.ts';
import type { Order, Transaction } from './order.ts';
import { findingsOf, type StoredOrder, type VerificationMoment } from './verification.ts';

const NOW = Date.UTC(2027, 0, 1);
const HOUR = 60 * 60 * 1000;
const at = (now: number) => ({ now, leaseMs: 45_000, holdMs: 7 * 24 * HOUR });
const moment: VerificationMoment = { now: NOW, overdueMs: 105_000, cvvMs: 17 * 60_000, isServed: true };

const intent: NewOrder = {
  merchantId: 1,
  orderId: 77,
  endpointId: 101,
  clientOrderId: 'inv-1',
  operation: 'sale',
  type: 'sale',
  currency: 'USD',
  notation: 'minor',
  amount: 1000n,
  requestSerial: 'first',
};

const approval = { word: 'approved', approvalCode: 'A1', rrn: '1', processorTxId: 'T' } as const;

/** An order as storage would keep it after these commands. */
function lived(overrides: Partial<NewOrder>, commands: readonly Command[] = []): StoredOrder {
  let order = startOrder({ ...intent, ...overrides }, at(NOW));
  const [first] = order.transactions as [Transaction];
  const started = { type: 'order-started', amount: 1000, serial: first.requestSerial, stage: first.stage };
  const events: StoredOrder['events'][number][] = [{ version: 1, event: started }];
  const entries: LedgerEntry[] = [...reservationOf(order)];
  for (const command of commands) {
    for (const event of decide(order, command, at(NOW)) as OrderEvent[]) {
      order = evolve(order, event);
      entries.push(...entriesOf(order, event));
      const text = JSON.stringify(event, (_, value) => (typeof value === 'bigint' ? value.toString() : value));
      events.push({ version: order.version, event: JSON.parse(text) });
    }
  }
  return { order, events, entries, withCvv: [] };
}

const sent = (seq = 1): Command => ({ type: 'sent', seq, leg: 1, answer: approval });
const declined = (seq: number): Command => ({ type: 'sent', seq, leg: 1, answer: { word: 'declined', code: '116' } });
const lines = (stored: StoredOrder, when = moment) =>
  findingsOf(stored, when).map(({ place, cause }) => `${place}: ${cause}`);

/** The stored order with its first transaction changed. */
function with1({ order, ...rest }: StoredOrder, changes: Partial<Transaction>): StoredOrder {
  const [first, ...others] = order.transactions as [Transaction];
  return { ...rest, order: { ...order, transactions: [{ ...first, ...changes }, ...others] } };
}
const withOrder = ({ order, ...rest }: StoredOrder, changes: Partial<Order>): StoredOrder => ({
  ...rest,
  order: { ...order, ...changes },
});

describe('an order that is as it must be', () => {
  it.each<[string, StoredOrder]>([
    ['a sale that was just accepted', lived({})],
    ['a sale', lived({}, [sent()])],
    ['a payout', lived({ operation: 'payout', type: 'payout' }, [sent()])],
    ['a payout that was declined', lived({ operation: 'payout', type: 'payout' }, [declined(1)])],
    ['a preauthorization', lived({ operation: 'preauth', type: 'preauth' }, [sent()])],
    ['a transfer between its legs', lived({ operation: 'transfer', type: 'transfer', legs: 2 }, [sent()])],
    ['a charge of other amounts', lived({ alternatives: [500n, 200n] }, [declined(1), sent(2)])],
    [
      'a return',
      lived({}, [
        sent(),
        { type: 'follow-up', kind: 'return', amounts: [300n], requestSerial: 'second', comment: undefined },
        sent(2),
      ]),
    ],
  ])('%s', (_, stored) => expect(lines(stored)).toEqual([]));
});

describe('an order that is not', () => {
  const sale = lived({}, [sent()]);
  const open = lived({});
  const old = NOW - HOUR;

  it.each<[string, StoredOrder, VerificationMoment, string[]]>([
    [
      'overdue while a node lives',
      with1(open, { dueAt: old }),
      moment,
      ['order 77 transaction 1: is sending and was due at 2026-12-31T23:00:00.000Z: nobody works on it'],
    ],
    ['overdue while nobody is there to do it', with1(open, { dueAt: old }), { ...moment, isServed: false }, []],
    ['due a little while ago', with1(open, { dueAt: NOW - 100_000 }), moment, []],
    [
      'stuck and due',
      with1(open, { stage: 'stuck' }),
      moment,
      [
        'order 77 transaction 1: is stuck and still due',
        'order 77 transaction 1: waits for a person since 2027-01-01T00:00:00.000Z',
        'order 77: transaction 1: stage is stuck, its events say sending',
      ],
    ],
    [
      'in no stage',
      with1(open, { stage: 'lost' as never }),
      moment,
      [
        'order 77 transaction 1: is in no known stage: lost',
        'order 77: transaction 1: stage is lost, its events say sending',
      ],
    ],
    [
      'with a security code for too long',
      { ...with1(open, {}), withCvv: [1] },
      { ...moment, now: NOW + HOUR, isServed: false },
      ['order 77 transaction 1: has had its security code since 2027-01-01T00:00:00.000Z'],
    ],
    [
      'with a security code for a minute, on a form that is older',
      {
        ...open,
        withCvv: [1],
        events: [{ version: 9, event: { seq: 1, from: 'awaiting-payer', at: NOW + 1_740_000 } }],
      },
      { ...moment, now: NOW + 1_800_000, isServed: false },
      // The check finds that the events are another order's, and nothing about the security code.
      ['order 77: is at version 1 and has the events 9'],
    ],
    ['with a security code for a minute', { ...open, withCvv: [1] }, { ...moment, now: NOW + 60_000 }, []],
    [
      'that took more than was asked',
      withOrder(sale, { amount: 900n }),
      moment,
      ['order 77: authorised 1000 of 900', 'order 77: amount is 900, its events say 1000'] as string[],
    ],
    [
      'that gave back more than it took',
      withOrder(sale, { reversed: 1001n }),
      moment,
      [
        'order 77: says 1001 reversed, its approved transactions 0',
        'order 77: gave back 1001 of 1000 captured',
        'order 77: reversed is 1001, its events say 0',
      ],
    ],
    [
      'with an entry missing',
      { ...sale, entries: sale.entries.slice(1) },
      moment,
      [
        'order 77 transaction 1: has ledger entries that are off by 1000 USD',
        'order 77: ledger entry 1.1 (-1000 USD on clearing) is missing',
      ],
    ],
    [
      'with entries nobody booked',
      { ...open, entries: sale.entries },
      moment,
      [
        'order 77: ledger entry 1.1 (-1000 USD on clearing) comes from no event',
        'order 77: ledger entry 1.2 (1000 USD on merchant) comes from no event',
      ],
    ],
    [
      'with another answer',
      with1(sale, { answer: { ...approval, rrn: '2' } }),
      moment,
      [expect.stringMatching(/^order 77: transaction 1: answer is \{.*rrn: 2.*its events say \{.*rrn: 1/)] as string[],
    ],
  ])('%s', (_, stored, when, expected) => expect(lines(stored, when)).toEqual(expected));
});
