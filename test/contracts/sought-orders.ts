// A search for orders that leaves nothing out, for tests to narrow.

import type { OrderSearch } from '../../src/domain/search/order-search.ts';

export const EVERY_ORDER: OrderSearch = {
  from: undefined,
  to: undefined,
  orderId: undefined,
  clientOrderId: undefined,
  rrn: undefined,
  approvalCode: undefined,
  card: undefined,
  email: undefined,
  address: undefined,
  amounts: undefined,
  currency: undefined,
  status: undefined,
  reason: undefined,
  operation: undefined,
  endpointId: undefined,
  terminal: undefined,
};
