import { CARD, client, newOrder } from './shop.ts';

const client_orderid = newOrder();
const answer = await client.sale({
  client_orderid,
  order_desc: 'Two tickets',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
  ...CARD,
});
console.log(answer.type); // async-response: accepted, not yet decided

const end = await client.waitForEnd({ client_orderid });
console.log(end.status); // approved
