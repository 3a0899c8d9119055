import { expect, it } from 'vitest';
import { guessedFilters } from './guessed-filter.ts';

it.each<[string, Record<string, string>]>([
  ['', {}],
  ['   ', {}],
  ['1111', { card: '1111' }],
  ['411111******1111', { card: '411111******1111' }],
  ['411111...1111', { card: '411111...1111' }],
  ['4111111111111111', { card: '411111******1111' }],
  ['4111 1111 1111 1111', { card: '411111******1111' }],
  ['4111-1111-1111-1111', { card: '411111******1111' }],
  ['4111111111111111 31.07 USD', { card: '411111******1111', amount: '31.07', currency: 'USD' }],
  ['4111 1111 1111 1111 31.07', { card: '411111******1111', amount: '31.07' }],
  ['3782 822463 10005', { card: '378282******0005' }],
  ['1042', { card: '1042' }],
  ['order:1042', { orderId: '1042' }],
  ['77000001', { orderId: '77000001' }],
  ['512345678901', { rrn: '512345678901' }],
  ['rrn:A1', { rrn: 'A1' }],
  ['approval:123456', { approvalCode: '123456' }],
  ['ann@example.com', { email: 'ann@example.com' }],
  ['10.42', { amount: '10.42' }],
  ['10,42 eur', { amount: '10.42', currency: 'EUR' }],
  ['1111 10.42 USD approved', { card: '1111', amount: '10.42', currency: 'USD', status: 'approved' }],
  ['192.0.2.7', { address: '192.0.2.7' }],
  ['2001:db8::7', { address: '2001:db8::7' }],
  ['2027-01-31 declined', { from: '2027-01-31', to: '2027-01-31', status: 'declined' }],
  ['Payout', { operation: 'payout' }],
  ['INV-2027/17', { clientOrderId: 'INV-2027/17' }],
  ['id:1111', { clientOrderId: '1111' }],
  ['merchant:shop 1111', { login: 'shop', card: '1111' }],
  ['constructor:x', { clientOrderId: 'constructor:x' }],
])('%j means %j', (text, filters) => {
  expect(guessedFilters(text)).toEqual(filters);
});
