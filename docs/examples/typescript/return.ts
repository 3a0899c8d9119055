import { client } from './shop.ts';

const [, , client_orderid = '', orderid = ''] = process.argv;
await client.return({ client_orderid, orderid, amount: '4.00', currency: 'USD', comment: 'One ticket back' });
const returned = await client.waitForEnd({ client_orderid, orderid });
console.log(returned['transaction-type'], returned.status); // reversal approved
