import { TenderClient } from 'tender/client';
import { CARD, newOrder, privateKey, shop } from './shop.ts';

const client = new TenderClient({ ...shop, privateKey: privateKey() });
const made = await client.createRecurringPayment({
  client_orderid: newOrder(),
  rp_card_type: 'SRC',
  amount: '9.99',
  currency: 'USD',
  ...CARD,
});

// Charge it now; with interval_unit and interval the gateway does so by itself.
const client_orderid = newOrder();
await client.processRecurringPayment({ client_orderid, recurring_payment_id: made['recurring-payment-id'] ?? '' });
console.log((await client.waitForEnd({ client_orderid })).status); // approved
