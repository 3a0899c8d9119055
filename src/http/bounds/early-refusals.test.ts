import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect as connectSecurely } from 'node:tls';
import { afterEach, expect, it } from 'vitest';
import { testAuthority } from '../../../test/certificates.ts';
import { httpServer, httpsServer, type Listening, listen, sendReply } from '../http-server.ts';
import { EarlyRefusals } from './early-refusals.ts';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0).reverse()) await one.close();
});

/** Of answers that do not come: a busy machine takes its time for hundreds of them. */
const MOST_LOOKS = 6_000;

const REFUSED = 'HTTP/1.1 400 Bad Request\r\nContent-Length: 4\r\n\r\nbusy';

/** What a server under TLS is opened with. */
function newTls() {
  const { certificate, privateKey } = testAuthority('CA').issue('here', { at: 'IP:127.0.0.1' });
  return { context: { cert: certificate, key: privateKey }, asksClients: false };
}

/** Refuses everything under `/sale` while it is busy, as the gateway does, and tells what the parser read. */
async function busyServer(tls?: ReturnType<typeof newTls>) {
  const state = { isBusy: true, early: 0 };
  const parsed: string[] = [];
  let held: ServerResponse | undefined;
  const refuses = (url: string) => state.isBusy && url.startsWith('/sale');
  const early = new EarlyRefusals({
    isBusy: () => state.isBusy,
    refuses: (url) => refuses(url) && ++state.early > 0,
    reply: (isSecure) => (isSecure ? REFUSED.replace('Content', 'Secure: yes\r\nContent') : REFUSED),
  });
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    early.heard(response);
    let body = '';
    const isRefused = refuses(request.url ?? '');
    if (isRefused) early.watch(response);
    request.setEncoding('latin1').on('data', (text) => {
      body += text;
    });
    request.on('end', () => {
      parsed.push(`${request.url} ${body}`);
      if (request.url === '/held') held = response;
      else sendReply(response, { status: isRefused ? 400 : 200, headers: {}, body: isRefused ? 'busy' : 'done' });
    });
  };
  const server = tls ? httpsServer(tls, serve) : httpServer(serve);
  const listening: Listening = await listen(server, {});
  opened.push({ close: () => listening.cut() });
  const release = () => held && sendReply(held, { status: 200, headers: {}, body: 'held' });
  return { state, parsed, release, ...listening };
}

/** A connection; `answers` resolves with as many as are expected, in their order, and nothing may come after them. */
async function open(port: number, isSecure = false) {
  const at = { port, host: '127.0.0.1', noDelay: true };
  const socket = isSecure ? connectSecurely({ ...at, rejectUnauthorized: false }) : connect(at);
  opened.push({ close: () => socket.destroy() });
  await once(socket, isSecure ? 'secureConnect' : 'connect');
  let heard = '';
  let ended = false;
  socket.setEncoding('latin1').on('data', (text) => {
    heard += text;
  });
  socket.on('end', () => {
    ended = true;
  });
  const found = () =>
    [...heard.matchAll(/HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n(busy|done|held)?/g)].map(([, status, body]) =>
      `${status} ${body ?? ''}`.trim(),
    );
  const answers = async (count: number) => {
    for (let tries = 0; tries < MOST_LOOKS && found().length < count && !ended; tries++) await sleep(5);
    await sleep(20);
    const all = found();
    heard = '';
    return all;
  };
  return { socket, answers, say: (text: string) => socket.write(text, 'latin1') };
}

const post = (path: string, body: string, ...headers: string[]) =>
  [`POST ${path} HTTP/1.1`, 'Host: x', ...headers, `Content-Length: ${body.length}`, '', body].join('\r\n');
const SALE = post('/sale/1', 'amount=1');
const ASK = post('/status/1', 'order=1');

/** After two refusals by way of the parser: one has the bytes watched, one tells where requests begin. */
async function watchedConnection(port: number, isSecure = false) {
  const connection = await open(port, isSecure);
  for (let turn = 0; turn < 2; turn++) {
    connection.say(SALE);
    expect(await connection.answers(1)).toEqual(['400 busy']);
  }
  return connection;
}

it('refuses without the parser once a connection was refused, and serves it when there is time again', async () => {
  const { state, parsed, port } = await busyServer();
  const { say, answers } = await watchedConnection(port);
  expect([state.early, parsed.length]).toEqual([0, 2]);
  for (let turn = 0; turn < 3; turn++) {
    say(SALE);
    expect(await answers(1)).toEqual(['400 busy']);
  }
  expect([state.early, parsed.length]).toEqual([3, 2]);
  // What is not refused is read as ever, and refused again behind it.
  say(ASK);
  expect(await answers(1)).toEqual(['200 done']);
  say(SALE);
  expect(await answers(1)).toEqual(['400 busy']);
  expect(state.early).toBe(4);
  state.isBusy = false;
  say(SALE);
  expect(await answers(1)).toEqual(['200 done']);
  expect(parsed.slice(2)).toEqual(['/status/1 order=1', '/sale/1 amount=1']);
});

it('refuses without the parser under TLS, and says what is said there', async () => {
  const { state, parsed, port } = await busyServer(newTls());
  const { socket, say, answers } = await watchedConnection(port, true);
  let reply = '';
  socket.on('data', (text) => {
    reply += text;
  });
  say(SALE);
  expect(await answers(1)).toEqual(['400 busy']);
  expect(reply).toContain('Secure: yes');
  say(ASK);
  expect(await answers(1)).toEqual(['200 done']);
  expect([state.early, parsed.length]).toEqual([1, 3]);
});

it('leaves a request to the parser whose head and body come apart, or together with another', async () => {
  const { state, parsed, port } = await busyServer();
  const { say, answers } = await watchedConnection(port);
  const [head, body] = [SALE.slice(0, -8), SALE.slice(-8)];
  say(head);
  await sleep(20);
  say(body.slice(0, 3));
  await sleep(20);
  say(body.slice(3) + ASK);
  expect(await answers(2)).toEqual(['400 busy', '200 done']);
  // A request hidden in a body is none.
  const hiding = post('/sale/1', ASK);
  say(hiding.slice(0, -ASK.length));
  await sleep(20);
  say(ASK);
  expect(await answers(1)).toEqual(['400 busy']);
  expect(state.early).toBe(0);
  expect(parsed.slice(2)).toEqual(['/sale/1 amount=1', '/status/1 order=1', `/sale/1 ${ASK}`]);
  // One that the parser reads whole tells again where requests begin.
  say(SALE);
  expect(await answers(1)).toEqual(['400 busy']);
  say(SALE);
  expect(await answers(1)).toEqual(['400 busy']);
  expect(state.early).toBe(1);
});

it('answers everything that is sent ahead, in its order', async () => {
  const { state, parsed, port, release } = await busyServer();
  const { say, answers } = await watchedConnection(port);
  say(SALE + ASK + SALE);
  expect(await answers(3)).toEqual(['400 busy', '200 done', '400 busy']);
  // Not before the one that is still being answered.
  say(SALE);
  expect(await answers(1)).toEqual(['400 busy']);
  say(post('/held', ''));
  await sleep(20);
  say(SALE);
  expect(await answers(0)).toEqual([]);
  release();
  expect(await answers(2)).toEqual(['200 held', '400 busy']);
  expect([state.early, parsed.length]).toEqual([0, 8]);
});

/** The end of a body, a request, and the beginning of a head: together they look like one request. */
const INNER = `${SALE}POST /status/1 HTTP/1.1\r\nX: `;
const OUTER = post('/sale/1', INNER);

it.each<[what: string, before: string, chunk: string, answered: string[], then: string[]]>([
  [
    'the beginning of a body',
    post('/status/1', 'x'.repeat(OUTER.length - INNER.length)).slice(0, INNER.length - OUTER.length),
    ...([OUTER, ['200 done', '400 busy'], ['200 done']] as const),
  ],
  ['the beginning of another head', 'POST /status/1 HTTP/1.1\r\nX: ', SALE, ['200 done'], ['400 busy']],
  ['a head that lacks its end', 'POST /sale/1 HTTP/1.1\r\nX: ', SALE, ['400 busy'], ['400 busy']],
] as [string, string, string, string[], string[]][])(
  'does not take for a request what follows %s',
  async (_, before, chunk, answered, then) => {
    const { state, port } = await busyServer();
    const { say, answers } = await open(port);
    // Refused, with what comes next behind it: nobody saw these bytes but the parser.
    say(SALE + before);
    expect(await answers(1)).toEqual(['400 busy']);
    say(chunk);
    expect(await answers(answered.length)).toEqual(answered);
    say(SALE);
    expect(await answers(then.length)).toEqual(then);
    expect(state.early).toBe(0);
  },
);

it('does not take for a request what follows the end of a body and a piece of a head', async () => {
  const { state, port } = await busyServer();
  const { say, answers } = await watchedConnection(port);
  say(ASK.slice(0, -7));
  await sleep(20);
  say(`${ASK.slice(-7)}POST /status/1 HTTP/1.1\r\nX: `);
  expect(await answers(1)).toEqual(['200 done']);
  say(SALE);
  expect(await answers(1)).toEqual(['200 done']);
  expect(state.early).toBe(0);
});

it.each<[what: string, request: string, answered: string]>([
  ['in chunks', 'POST /sale/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n', '400 busy'],
  ['without a host', `POST /sale/1 HTTP/1.1\r\nContent-Length: 0\r\nExpect: 100-continue\r\n\r\n`, '400'],
  ['that is the last of its connection', post('/sale/1', '', 'Connection: close'), '400 busy'],
  [
    'that breaks the rules',
    'POST /sale/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab',
    '400',
  ],
])('leaves a request %s to the parser', async (_, request, answered) => {
  const { state, port } = await busyServer();
  const { say, answers } = await watchedConnection(port);
  say(request);
  expect((await answers(1))[0]).toBe(answered);
  expect(state.early).toBe(0);
});

it('lets a server that closes say so in its reply, and closes', async () => {
  const { state, port, close } = await busyServer();
  const { socket, say, answers } = await watchedConnection(port);
  say(SALE);
  expect(await answers(1)).toEqual(['400 busy']);
  const closed = close();
  let last = '';
  socket.on('data', (text) => {
    last += text;
  });
  say(SALE);
  await once(socket, 'close');
  expect(last).toMatch(/Connection: close\r\n/);
  expect(state.early).toBe(1);
  await closed;
});

/** More replies than Node keeps for a client: it reads no more until they are sent. The requests are read at once. */
const ENOUGH = 700;

it('feeds no parser that Node has taken back', async () => {
  const faults: unknown[] = [];
  const noted = (fault: unknown) => void faults.push(fault);
  process.on('uncaughtExceptionMonitor', noted);
  opened.push({ close: () => process.off('uncaughtExceptionMonitor', noted) });
  const { port, release } = await busyServer();
  const { socket, say } = await watchedConnection(port);
  const closed = once(socket, 'close');
  say(post('/held', '') + SALE.repeat(ENOUGH));
  await sleep(50);
  say(SALE);
  await sleep(50);
  // Node ends a connection that asks for a tunnel, and what came behind that is still handed on.
  say('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n');
  await sleep(50);
  say(SALE);
  await sleep(50);
  expect(socket.closed).toBe(false);
  release();
  await closed;
  await sleep(20);
  expect(faults).toEqual([]);
});

it('leaves a connection alone that Node does not read at the moment', async () => {
  const { port, release } = await busyServer();
  const { say, answers } = await open(port);
  say(post('/held', '') + SALE.repeat(ENOUGH));
  await sleep(50);
  say(SALE);
  await sleep(50);
  release();
  expect(await answers(ENOUGH + 2)).toHaveLength(ENOUGH + 2);
  say(ASK);
  expect(await answers(1)).toEqual(['200 done']);
  say(SALE);
  expect(await answers(1)).toEqual(['400 busy']);
});
