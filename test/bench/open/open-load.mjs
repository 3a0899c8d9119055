// The open load generator, a process of its own: each merchant sends by its own schedule, over its own connections,
// whatever the server does. Asked by messages: one run each.
import { once } from 'node:events';
import { connect } from 'node:net';
import { acceptedOrder, isComplete, statusOf } from '../http-reply.mjs';
import { numberFrom, SaleRequests, statusRequest } from '../sale-requests.mjs';
import { arrivals } from './arrivals.mjs';
import { DueRequests } from './due-requests.mjs';
import { Histogram } from './histogram.mjs';

/** How long after the end of its schedule a run waits for answers. */
const DRAIN_LIMIT_MS = 30_000;

/** Sales signed ahead of a run; further ones are signed when they are due. */
const MOST_PREPARED = 60_000;

/** How many of a merchant's orders are remembered, for STATUS. */
const KEPT_ORDERS = 500;

const REOPEN_AFTER_MS = 100;

/** The code of what was refused because there was too much to do. */
const SHED = '"error-code":"92"';

/** Sales by login and port, orders by login. */
const saleRequests = new Map();
const keptOrders = new Map();

// Beside the numbers of the closed generator, which sells to the same gateway.
numberFrom(500_000_000);

process.on('disconnect', () => process.exit());
process.on('message', async (asked) => {
  try {
    process.send({ result: await run(asked) });
  } catch (error) {
    process.send({ error: error.message });
  }
});

/** `streams` have a name, a merchant, what they send (`sales` or `status`), a rate and a number of connections. */
async function run({ port, seconds, streams, kind, seed, patienceMs }) {
  const untilMs = seconds * 1000;
  const opened = await Promise.all(
    streams.map((stream, index) =>
      openStream(stream, {
        ...{ port, seconds },
        requests: new DueRequests({
          next: arrivals({ rate: stream.rate, kind, seed: seed + index }),
          ...{ untilMs, patienceMs },
        }),
      }),
    ),
  );
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.timeOrigin + performance.now();
  const latenessOf = await untilOver(opened, untilMs);
  const { user, system } = process.cpuUsage(cpuBefore);
  const elapsedMs = performance.timeOrigin + performance.now() - startedAt;
  for (const { sockets } of opened) for (const socket of sockets) socket.destroy();
  return {
    startedAt,
    busy: (user + system) / 1000 / elapsedMs,
    // How late the schedule itself was looked at: what the generator adds to every latency.
    lateness: milliseconds(latenessOf.quantile(0.99)),
    streams: Object.fromEntries(opened.map((stream) => [stream.name, told(stream, seconds)])),
  };
}

function told({ requests }, seconds) {
  const { latencies, outcomes, due } = requests;
  const at = (share) => milliseconds(latencies.quantile(share));
  const { answered } = outcomes;
  return {
    ...{ due, ...outcomes, rate: answered / seconds },
    ...{ p50: at(0.5), p99: at(0.99), p999: at(0.999), max: milliseconds(latencies.max) },
  };
}

const milliseconds = (microseconds) => microseconds / 1000;

/** Sends what is due, once a millisecond, until all have ended. */
function untilOver(streams, untilMs) {
  const lateness = new Histogram();
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const step = () => {
      const now = performance.now() - began;
      for (const stream of streams) {
        const { nextAt } = stream.requests;
        if (nextAt !== undefined && nextAt <= now) lateness.add((now - nextAt) * 1000);
        stream.requests.advance(now);
        sendDue(stream, began);
      }
      if (streams.every(({ requests }) => requests.isOver)) return resolve(lateness);
      if (now > untilMs + DRAIN_LIMIT_MS) return reject(new Error('the server stopped answering'));
      setTimeout(step, 1);
    };
    step();
  });
}

function sendDue(stream, began) {
  while (stream.free.length > 0) {
    const dueAt = stream.requests.take();
    if (dueAt === undefined) return;
    const connection = stream.free.pop();
    connection.dueAt = dueAt;
    connection.began = began;
    connection.socket.write(stream.next());
  }
}

async function openStream({ name, merchant, what, rate, connections }, { port, seconds, requests }) {
  const source =
    what === 'status' ? statusSource(merchant, port) : saleSource(merchant, port, Math.ceil(rate * seconds));
  const stream = { name, merchant, requests, port, next: source.next, free: [], sockets: new Set() };
  stream.answered = source.answered;
  await Promise.all(Array.from({ length: connections }, () => open(stream)));
  return stream;
}

function saleSource(merchant, port, due) {
  const place = `${merchant.login} ${port}`;
  const sales = saleRequests.get(place) ?? new SaleRequests({ room: MOST_PREPARED, port, merchant });
  saleRequests.set(place, sales);
  sales.prepare(due);
  const kept = keptOrders.get(merchant.login) ?? [];
  keptOrders.set(merchant.login, kept);
  const answered = (reply) => void (kept.length < KEPT_ORDERS && kept.push(acceptedOrder(reply)));
  return { next: () => sales.next(), answered };
}

function statusSource(merchant, port) {
  const orders = keptOrders.get(merchant.login) ?? [];
  if (orders.length === 0) throw new Error(`${merchant.login} has no order to ask about`);
  const asked = orders.map((order) => statusRequest(order, { port, merchant }));
  let turn = 0;
  return { next: () => asked[turn++ % asked.length], answered: () => {} };
}

/** A connection that is free, and stays in the stream until the run ends; one that breaks is opened again. */
async function open(stream) {
  const socket = connect(stream.port, '127.0.0.1');
  socket.setNoDelay(true);
  const connection = { socket, dueAt: undefined, began: 0 };
  let reply;
  const end = (outcome) => {
    stream.requests.end(connection.dueAt, outcome, performance.now() - connection.began);
    connection.dueAt = undefined;
  };
  socket.on('data', (chunk) => {
    reply = reply ? Buffer.concat([reply, chunk]) : chunk;
    if (connection.dueAt === undefined || !isComplete(reply)) return;
    const { began } = connection;
    const outcome = outcomeOf(reply);
    end(outcome);
    if (outcome === 'answered') stream.answered(reply);
    reply = undefined;
    stream.free.push(connection);
    sendDue(stream, began);
  });
  socket.on('error', () => {});
  socket.once('close', () => {
    stream.sockets.delete(socket);
    if (connection.dueAt === undefined) stream.free = stream.free.filter((one) => one !== connection);
    else end('failed');
    if (!stream.requests.isOver) setTimeout(() => open(stream).catch(() => {}), REOPEN_AFTER_MS);
  });
  await once(socket, 'connect');
  stream.sockets.add(socket);
  stream.free.push(connection);
}

function outcomeOf(reply) {
  const status = statusOf(reply);
  if (status === 200) return 'answered';
  if (reply.includes(SHED)) return 'shed';
  return status < 500 ? 'refused' : 'failed';
}
