import { expect, it } from 'vitest';
import { sale } from '../../operations/v2/sale.ts';
import { maskedFields } from './shown-call.ts';

it('shows no card number, no code, and nothing in a field that the operation does not have', () => {
  const fields = {
    client_orderid: 'inv-1',
    amount: '10.42',
    credit_card_number: '5555555555554444',
    cvv2: '123',
    CVV2: '123',
    cvv: '987',
    card_number: '5555555555554444',
    order_desc: 'for 5555555555554444',
    control: 'ab12',
  };
  expect(maskedFields(sale, { url: '', path: '', fields, headers: {} })).toEqual({
    client_orderid: 'inv-1',
    amount: '10.42',
    credit_card_number: '555555******4444',
    cvv2: '***',
    CVV2: '***',
    cvv: '***',
    card_number: '***',
    order_desc: expect.not.stringContaining('5555555555554444'),
    control: 'ab12',
  });
});
