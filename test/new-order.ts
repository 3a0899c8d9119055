// The order that tests of the order machine begin with: a sale of 10.42 USD.

import type { NewOrder } from '../src/domain/order/decide.ts';

export const newOrder: NewOrder = {
  merchantId: 1,
  orderId: 77,
  endpointId: 101,
  clientOrderId: 'inv-1',
  operation: 'sale',
  type: 'sale',
  currency: 'USD',
  notation: 'major',
  amount: 1042n,
  requestSerial: '01890000-0000-7000-8000-000000000001',
};
