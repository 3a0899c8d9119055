import { CARD, client, newOrder } from './shop.ts';

const client_orderid = newOrder();
const answer = await client.payout({
  client_orderid,
  order_desc: 'A prize',
  amount: '5.00',
  currency: 'USD',
  credit_card_number: CARD.credit_card_number,
});
console.log(answer.type); // async-response
console.log((await client.waitForEnd({ client_orderid })).status); // approved, if the balance covers it
