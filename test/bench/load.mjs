// The load generator, a process of its own so that it shares no event loop with what it measures. Every connection has
// one request under way and sends the next as soon as the answer is there. Asked by messages: one slice each.
import { once } from 'node:events';
import { connect } from 'node:net';
import { acceptedOrder, isComplete, statusOf } from './http-reply.mjs';
import { SaleRequests, statusRequest } from './sale-requests.mjs';

/** Sales prepared per second of a slice; a server that is faster still gets the rest signed on the fly. */
const PREPARED_PER_SECOND = 20_000;

/** How many orders of the first slice are remembered, to ask for their status. */
const KEPT_ORDERS = 1_000;

const DRAIN_LIMIT_MS = 30_000;

const orders = [];
const salesByPort = new Map();

process.on('disconnect', () => process.exit());
process.on('message', async (slice) => {
  try {
    process.send({ result: await run(slice) });
  } catch (error) {
    process.send({ error: error.message });
  }
});

function run({ what, port, connections, seconds }) {
  if (what === 'status') return runSlice({ port, connections, seconds, source: statusPolls(port) });
  const sales = salesAt(port, seconds);
  sales.prepare();
  const source = { next: () => sales.next(), check: what === 'sales' ? keepOrder : undefined };
  return runSlice({ port, connections, seconds, source });
}

function salesAt(port, seconds) {
  const known = salesByPort.get(port);
  if (known) return known;
  const sales = new SaleRequests({ room: Math.ceil(PREPARED_PER_SECOND * seconds), port });
  salesByPort.set(port, sales);
  return sales;
}

function statusPolls(port) {
  const requests = orders.map((order) => statusRequest(order, { port }));
  let turn = 0;
  const check = (reply) => {
    if (!reply.includes('"status":"approved"')) throw new Error(`an order is not approved: ${reply}`);
  };
  return { next: () => requests[turn++ % requests.length], check };
}

function keepOrder(reply) {
  if (orders.length === KEPT_ORDERS) return;
  orders.push(acceptedOrder(reply));
}

/** `answered` counts replies within the slice, `sent` also those that came after its end. */
async function runSlice({ port, connections, seconds, source }) {
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(port)));
  const milliseconds = [];
  const cpuBefore = process.cpuUsage();
  const started = performance.now();
  const endsAt = started + seconds * 1000;
  let sent = 0;
  const request = () => {
    if (performance.now() >= endsAt) return undefined;
    sent += 1;
    return source.next();
  };
  const answered = (took) => {
    if (performance.now() < endsAt) milliseconds.push(took);
  };
  const giveUp = setTimeout(
    () => {
      for (const socket of sockets) socket.destroy(new Error('the server stopped answering'));
    },
    seconds * 1000 + DRAIN_LIMIT_MS,
  );
  try {
    await Promise.all(sockets.map((socket) => converse(socket, { request, answered, check: source.check })));
  } finally {
    clearTimeout(giveUp);
    for (const socket of sockets) socket.destroy();
  }
  const { user, system } = process.cpuUsage(cpuBefore);
  const elapsed = performance.now() - started;
  milliseconds.sort((a, b) => a - b);
  return {
    sent,
    startedAt: performance.timeOrigin + started,
    rate: milliseconds.length / seconds,
    p50: quantile(milliseconds, 0.5),
    p99: quantile(milliseconds, 0.99),
    busy: (user + system) / 1000 / elapsed,
  };
}

async function open(port) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  await once(socket, 'connect');
  return socket;
}

/** Requests and replies in turn on one connection, until there is no request any more. */
function converse(socket, { request, answered, check }) {
  return new Promise((resolve, reject) => {
    let sentAt = 0;
    let reply;
    const ask = () => {
      const bytes = request();
      if (!bytes) return resolve();
      sentAt = performance.now();
      socket.write(bytes);
    };
    socket.on('data', (chunk) => {
      reply = reply ? Buffer.concat([reply, chunk]) : chunk;
      if (!isComplete(reply)) return;
      try {
        if (statusOf(reply) !== 200) throw new Error(`a request was refused: ${reply}`);
        check?.(reply);
      } catch (error) {
        return reject(error);
      }
      answered(performance.now() - sentAt);
      reply = undefined;
      ask();
    });
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the server closed a connection')));
    ask();
  });
}

function quantile(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
