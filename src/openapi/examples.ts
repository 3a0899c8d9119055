// The requests and replies that the OpenAPI document shows. They are of the sandbox's demo merchant, so that a sale can
// be tried as it stands.

type Example = { readonly request: Readonly<Record<string, string>>; readonly reply: Readonly<Record<string, string>> };

const ids = {
  'serial-number': '3d671629-a410-4a5d-9288-b38ceadd41f2',
  'merchant-order-id': 'inv-1001',
  'paynet-order-id': '1',
  'end-point-id': '101',
};

export const examples: Readonly<Record<string, Example>> = {
  SALE: {
    request: {
      client_orderid: 'inv-1001',
      order_desc: 'Two tickets',
      amount: '10.42',
      currency: 'USD',
      email: 'ann@example.com',
      credit_card_number: '4444555566661111',
      card_printed_name: 'ANN EXAMPLE',
      expire_month: '12',
      expire_year: '2031',
      cvv2: '123',
      ipaddress: '203.0.113.7',
      control: 'bd7c81329daed2ef5ccdb235b8521bfb9ab23674',
    },
    reply: { type: 'async-response', ...ids, status: 'processing' },
  },
  STATUS: {
    request: {
      login: 'demo',
      client_orderid: 'inv-1001',
      orderid: '1',
      control: '891d3dbcb5244dc4ac68717f09d337889b8634a2',
    },
    reply: {
      type: 'status-response',
      ...ids,
      status: 'approved',
      'transaction-type': 'sale',
      'order-stage': 'sale_approved',
      amount: '10.42',
      currency: 'USD',
      bin: '444455',
      'last-four-digits': '1111',
      'card-type': 'VISA',
    },
  },
};
