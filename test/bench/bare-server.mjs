// The limit a gateway on this Node can come near to: the same sales, parsed, their signature checked and answered with
// the same JSON, and nothing else: no rules, no database, no bank.
import { hash, randomUUID, timingSafeEqual } from 'node:crypto';
import { createServer } from 'node:http';
import { parse } from 'node:querystring';
import { CONTROL_KEY } from './sale-requests.mjs';

process.on('disconnect', () => process.exit());
// Whatever it is asked, it tells the processor time it has used, in seconds.
process.on('message', () => {
  const { user, system } = process.cpuUsage();
  process.send({ result: (user + system) / 1_000_000 });
});

const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => answer(request, response, parse(Buffer.concat(chunks).toString())));
});
server.listen(0, '127.0.0.1', () => process.send({ result: server.address().port }));

function answer(request, response, { client_orderid: clientOrderId, amount, email, control }) {
  const endpointId = request.url.slice(request.url.lastIndexOf('/') + 1);
  const digest = hash('sha1', endpointId + clientOrderId + amount.replace('.', '') + email + CONTROL_KEY, 'buffer');
  const isSigned = timingSafeEqual(digest, Buffer.from(control, 'hex'));
  const body = JSON.stringify({
    type: 'async-response',
    'serial-number': randomUUID(),
    'merchant-order-id': clientOrderId,
    'paynet-order-id': '9007199254740991',
    'end-point-id': endpointId,
    status: 'processing',
  });
  response.writeHead(isSigned ? 200 : 400, {
    'Content-Type': 'application/vnd.pay+json',
    'Content-Length': Buffer.byteLength(body),
  });
  response.end(body);
}
