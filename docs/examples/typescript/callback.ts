// A shop's callback address: checks what comes and answers 200, also when it comes again.
import { createServer } from 'node:http';
import { verifyCallback } from 'tender/client';
import { CONTROL_KEY } from './shop.ts';

createServer((request, response) => {
  const { ok, params } = verifyCallback(request.url ?? '', CONTROL_KEY, { headers: request.headers });
  // Find your order by orderid, and deliver nothing when its amount or currency differs.
  if (ok) console.log(params.client_orderid, params.status);
  response.writeHead(ok ? 200 : 400).end();
}).listen(Number(process.argv[2]), '127.0.0.1');
