import { describe, expect, it } from 'vitest';
import { filtered, startOrder } from '../domain/order/decide.ts';
import type { Order, Transaction } from '../domain/order/order.ts';
import { Secret } from '../domain/secret.ts';
import type { StoredCard } from '../storage/store.ts';
import { callbackFields, finalRedirectFields, type ToldTransaction, withQuery } from './build.ts';

const KEY = new Secret('test-merchant-control');
const MOMENT = { now: Date.UTC(2026, 5, 1), leaseMs: 45_000, holdMs: 604_800_000 };

const card = { bin: '411111', lastFour: '1111', brand: 'VISA', holder: 'ANN EXAMPLE' } as StoredCard;

function told(
  changes: Partial<Transaction> = {},
  around: Partial<ToldTransaction> = {},
  of: Partial<Order> = {},
): ToldTransaction {
  const started = startOrder(
    {
      ...{ merchantId: 1, orderId: 1234567, endpointId: 101, clientOrderId: 'hf-abc', operation: 'sale', type: 'sale' },
      ...{ currency: 'USD', notation: 'major', amount: 1042n, requestSerial: '0189-serial' },
    } as Parameters<typeof startOrder>[0],
    MOMENT,
  );
  const order = { ...started, ...of };
  const transaction = { ...(order.transactions[0] as Transaction), stage: 'approved' as const, ...changes };
  const details = { email: 'ann@example.com', merchantData: 'basket 12', cellPhone: '+1202', comment: 'thanks' };
  return { order, transaction, details, receiptId: '', card, targetCard: undefined, descriptor: 'SHOP', ...around };
}

const approval = { word: 'approved', approvalCode: 'A1', rrn: '123', processorTxId: 'TX' } as const;
const partialAt = () => ['capture', 'refund'] as const;

const fieldsOf = (one: ToldTransaction) => Object.fromEntries(callbackFields(one, KEY, partialAt));

describe('a callback', () => {
  it('carries every field, in its order, and its control', () => {
    const fields = callbackFields(told({ answer: approval }), KEY, partialAt);
    expect(fields.map(([name, value]) => `${name}=${value}`)).toEqual([
      ...['status=approved', 'merchant_order=hf-abc', 'client_orderid=hf-abc', 'orderid=1234567', 'type=sale'],
      ...['amount=10.42', 'currency=USD', 'descriptor=SHOP', 'error_code=', 'error_message=', 'name=ANN EXAMPLE'],
      ...['card-holder-name=ANN EXAMPLE', 'email=ann@example.com', 'phone=+1202', 'approval-code=A1'],
      ...['last-four-digits=1111', 'bin=411111', 'card-type=VISA', 'gate-partial-reversal=enabled'],
      ...['gate-partial-capture=enabled', 'reason-code=', 'processor-rrn=123', 'processor-tx-id=TX', 'comment=thanks'],
      ...['merchantdata=basket 12', 'serial-number=0189-serial', 'control=652ace404c4dfe8bba069ecee594ec23a89340e1'],
    ]);
  });

  it.each([
    ['declined', { stage: 'declined', answer: { word: 'declined', code: '116' } }, '116'],
    ['error', { stage: 'error' }, '504'],
    ['error', { stage: 'expired' }, '46'],
    ['filtered', { stage: 'filtered', filterReason: 'card-blocked' }, '70'],
  ] as const)('says %s, with the code of what happened', (status, changes, code) => {
    const fields = fieldsOf(told(changes));
    expect(fields).toMatchObject({ status, error_code: code });
    expect(fields.error_message).not.toBe('');
  });

  it('writes amounts as the order was written, and the amount of its own transaction', () => {
    expect(fieldsOf(told({ amount: 42n }, {}, { notation: 'minor' })).amount).toBe('42');
    expect(fieldsOf(told({ amount: 42n })).amount).toBe('0.42');
  });

  it("shows the payee's card of a payout, and the comment of the transaction before the order's", () => {
    const payee = { ...card, lastFour: '9999' };
    const payout = told({ comment: 'back' }, { card: undefined, targetCard: payee }, { operation: 'payout' });
    expect(fieldsOf(payout)).toMatchObject({ 'last-four-digits': '9999', comment: 'back' });
  });

  it('of an order that was stopped at its start has no answer of the bank', () => {
    const one = told();
    const order = filtered({ ...one.order }, 'duplicate-payment');
    const fields = fieldsOf({ ...one, order, transaction: order.transactions[0] as Transaction });
    expect(fields).toMatchObject({ status: 'filtered', error_code: '78', 'approval-code': '', 'processor-rrn': '' });
  });
});

it('sends the payer back with the same values, in the order of the final redirect', () => {
  const one = told({ answer: approval });
  const fields = finalRedirectFields(one, KEY, partialAt);
  expect(fields.map(([name]) => name)).toEqual([
    ...['status', 'orderid', 'merchant_order', 'client_orderid', 'error_message', 'error_code', 'control'],
    ...['descriptor', 'processor-tx-id', 'amount', 'currency', 'bin', 'type', 'card-type', 'phone'],
    ...['last-four-digits', 'card-holder-name', 'gate-partial-reversal', 'gate-partial-capture', 'merchantdata'],
  ]);
  expect(fieldsOf(one)).toMatchObject(Object.fromEntries(fields));
});

describe('the address of a callback', () => {
  it.each([
    ['https://shop.example/paid', 'https://shop.example/paid?status=a%20b%26%2B&name=J%C3%BCrgen'],
    ['https://shop.example', 'https://shop.example/?status=a%20b%26%2B&name=J%C3%BCrgen'],
    ['https://shop.example/?x=1+2&y', 'https://shop.example/?x=1+2&y&status=a%20b%26%2B&name=J%C3%BCrgen'],
    ['https://shop.example/?status=approved&x=1#end', 'https://shop.example/?x=1&status=a%20b%26%2B&name=J%C3%BCrgen'],
    ['https://shop.example/?st%61tus=approved', 'https://shop.example/?status=a%20b%26%2B&name=J%C3%BCrgen'],
  ])('%s becomes %s', (url, whole) => {
    const fields = [
      ['status', 'a b&+'],
      ['name', 'Jürgen'],
    ] as const;
    expect(withQuery(new URL(url), fields).href).toBe(whole);
  });
});
