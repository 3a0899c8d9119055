import { client, newOrder } from './shop.ts';

const answer = await client.saleForm({
  client_orderid: newOrder(),
  order_desc: 'Two tickets',
  amount: '10.42',
  currency: 'USD',
  email: 'ann@example.com',
  redirect_url: 'https://shop.example/paid',
  server_callback_url: 'https://shop.example/callback',
});
console.log(answer['redirect-url']); // send the payer's browser there
