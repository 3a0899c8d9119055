import { CARD, client, newOrder } from './shop.ts';

const client_orderid = newOrder();
await client.preauth({
  client_orderid,
  order_desc: 'A hotel room',
  amount: '100.00',
  currency: 'USD',
  email: 'ann@example.com',
  ...CARD,
});
const held = await client.waitForEnd({ client_orderid });

// The guest leaves a day early: 80.00 of the 100.00 that are held.
const orderid = held['paynet-order-id'] ?? '';
await client.capture({ client_orderid, orderid, amount: '80.00', currency: 'USD' });
const captured = await client.waitForEnd({ client_orderid, orderid });
console.log(captured['transaction-type'], captured.status); // capture approved
