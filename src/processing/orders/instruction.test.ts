import fc from 'fast-check';
import { expect, it } from 'vitest';
import { changeBy } from '../../domain/order/change.ts';
import { type Command, type NewOrder, startOrder } from '../../domain/order/decide.ts';
import type { Order } from '../../domain/order/order.ts';
import { circumstancesOf, traceOf } from './instruction.ts';

const NOW = Date.UTC(2026, 5, 1);
const at = (now: number) => ({ now, leaseMs: 45_000, holdMs: 7 * 86_400_000 });

const intent: NewOrder = {
  merchantId: 1,
  orderId: 77,
  endpointId: 101,
  clientOrderId: 'inv-1',
  operation: 'sale',
  type: 'preauth',
  currency: 'USD',
  notation: 'major',
  amount: 1042n,
  requestSerial: '01890000-0000-7000-8000-000000000001',
};
const site = {
  ...{ merchantNumber: 'M1', terminalNumber: 'T1', category: '5999', country: 'US' },
  ...{ acquirerNumber: '400000', descriptor: 'SHOP' },
};

function after(order: Order, command: Command, now: number): Order {
  const change = changeBy(order, command, at(now));
  if (!('after' in change)) throw new Error('refused');
  return change.after;
}

const approved = { word: 'approved', approvalCode: 'A1', rrn: '123456789012', processorTxId: 'TX' } as const;

it('a follow-up has a number of its own and names its original with all that the bank said', () => {
  const held = after(startOrder(intent, at(NOW)), { type: 'sent', seq: 1, leg: 1, answer: approved }, NOW);
  const capture = after(
    held,
    {
      ...{ type: 'follow-up', kind: 'capture', amounts: [42n], comment: undefined, traceId: 78 },
      requestSerial: '01890000-0000-7000-8000-000000000002',
    },
    NOW + 5,
  );
  const [, transaction] = capture.transactions;
  expect(circumstancesOf(capture, transaction!, { descriptor: '' }, { site, back: undefined })).toMatchObject({
    site,
    trace: { number: 78, at: NOW + 5 },
    origin: {
      kind: 'preauth',
      amount: { minor: 1042n, currency: 'USD' },
      trace: { number: 77, at: NOW },
      ...{ approvalCode: 'A1', rrn: '123456789012', processorTxId: 'TX' },
    },
  });
});

it('tries of one order never have the same second, and keep their trace whatever follows', () => {
  const gaps = fc.array(fc.nat(1_500), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(gaps, (all) => {
      const technical = { word: 'declined', code: '909' } as const;
      let order = startOrder({ ...intent, route: { terminals: ['a', 'b', 'c'], reason: '' } }, at(NOW));
      let now = NOW;
      const traces: number[] = [];
      for (const gap of all) {
        now += gap;
        const last = order.transactions.at(-1)!;
        traces.push(traceOf(order, last).at);
        order = after(order, { type: 'sent', seq: last.seq, leg: 1, answer: technical }, now);
      }
      const seconds = [...new Set(traces)].map((time) => Math.floor(time / 1_000));
      expect(new Set(seconds).size).toBe(seconds.length);
      for (const [index, time] of traces.entries()) {
        const transaction = order.transactions[Math.min(index, order.transactions.length - 1)]!;
        expect(traceOf(order, transaction)).toEqual({ number: 77, at: time });
      }
    }),
  );
});

it('the two legs of a transfer never have the same second', () => {
  const transfer = startOrder({ ...intent, type: 'transfer', operation: 'transfer', legs: 2 }, at(NOW));
  const [first] = transfer.transactions;
  expect(traceOf(transfer, first!)).toEqual({ number: 77, at: NOW });
  expect(traceOf(transfer, { ...first!, leg: 2 })).toEqual({ number: 77, at: NOW + 1_000 });
});
