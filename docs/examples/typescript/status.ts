import { client } from './shop.ts';

const [, , client_orderid = ''] = process.argv;
const answer = await client.status({ client_orderid });
console.log(answer.status); // approved, declined, processing …
