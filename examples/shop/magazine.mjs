// What the shop sells by the month: the gateway charges the card, and tells the shop of every charge.

import { randomUUID } from 'node:crypto';

export async function subscribe({ client, orders, url }, card) {
  const order = { client_orderid: `magazine-${randomUUID()}`, amount: '9.00', currency: 'USD' };
  orders.set(order.client_orderid, { ...order, status: 'open', payments: new Set() });
  const monthly = { rp_card_type: 'SRC', interval: 1, interval_unit: 'month', notify_url: `${url}/callback` };
  await client.createRecurringPayment({ ...order, ...monthly, ...card, merchant_data: order.client_orderid });
  return order.client_orderid;
}
