import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { httpServer, type Listening, listen, readBody, sendReply } from './http-server.ts';

const MAX_BYTES = 10;
const open: Listening[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.cut();
});

/** Answers with what it read. */
async function echo(host?: string): Promise<Listening & { readonly heard: (Buffer | string)[] }> {
  const heard: (Buffer | string)[] = [];
  const server = httpServer(async (request, response) => {
    if (request.url === '/unread') return sendReply(response, { status: 401, headers: {}, body: 'no' });
    const body = await readBody(request, MAX_BYTES);
    heard.push(body);
    if (request.url !== '/silence') sendReply(response, { status: 200, headers: { 'X-Own': 'yes' }, body });
  });
  const listening = await listen(server, { host });
  open.push(listening);
  return { ...listening, heard };
}

async function said(port: number, raw: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.end(raw);
  return text(socket);
}

it('reads a body up to its bound, and tells of a larger one', async () => {
  const { url } = await echo();
  const post = async (body: string) => (await fetch(url, { method: 'POST', body })).text();
  expect(await post('')).toBe('');
  expect(await post('x'.repeat(MAX_BYTES))).toBe('x'.repeat(MAX_BYTES));
  expect(await post('x'.repeat(MAX_BYTES + 1))).toBe('too-large');
  expect(await post('x'.repeat(9 * 1024 * 1024)).catch(() => 'too-large')).toBe('too-large');
});

it('tells of a body that ends early', async () => {
  const { port, heard } = await echo();
  await said(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nhalf');
  expect(heard).toEqual(['aborted']);
});

it('says how long a reply is, and keeps the connection', async () => {
  const { url } = await echo();
  const { headers } = await fetch(url, { method: 'POST', body: 'ä' });
  expect(Object.fromEntries(headers)).toMatchObject({ 'content-length': '2', 'x-own': 'yes' });
  expect(headers.get('connection')).toBe('keep-alive');
  expect(headers.get('keep-alive')).toBe('timeout=75');
});

it('closes the connection behind a reply to a request whose body it did not read', async () => {
  const { port } = await echo();
  const socket = connect(port, '127.0.0.1');
  const reply = text(socket);
  socket.write('POST /unread HTTP/1.1\r\nHost: x\r\nContent-Length: 8\r\n\r\nhalf');
  expect(await reply).toMatch(/^HTTP\/1.1 401 [\s\S]*Connection: close[\s\S]*no$/);
});

it('answers HEAD without a body', async () => {
  const { port } = await echo();
  const reply = await said(port, 'HEAD /unread HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  expect(reply).toMatch(/Content-Length: 2\r\n[\s\S]*\r\n\r\n$/);
});

it('refuses a port that is taken', async () => {
  const { port } = await echo();
  await expect(
    listen(
      httpServer(() => {}),
      { port },
    ),
  ).rejects.toMatchObject({ code: 'EADDRINUSE' });
});

it('cuts connections that wait for a reply, also after it was closed', async () => {
  const { port, close, cut, heard } = await echo();
  const socket = connect(port, '127.0.0.1').resume();
  socket.write('GET /silence HTTP/1.1\r\nHost: x\r\n\r\n');
  while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
  const closed = close();
  const ended = once(socket, 'close');
  await cut();
  await ended;
  await closed;
});

it('waits for the head of a request for ten seconds, and for the rest of it for thirty', () => {
  const { headersTimeout, requestTimeout } = httpServer(() => {});
  expect([headersTimeout, requestTimeout]).toEqual([10_000, 30_000]);
});

/** Opens connections to a port, and ends once all of them are open. */
const OPENS = `
  const { connect } = require('node:net');
  const [port, many] = process.argv.slice(1).map(Number);
  let open = 0;
  for (let made = 0; made < many; made++) {
    connect(port, '127.0.0.1', () => { if (++open === many) process.exit(0); }).on('error', () => process.exit(2));
  }
`;

/** How many the system lets wait at most, where it tells. */
const SYSTEM_BOUND = '/proc/sys/net/core/somaxconn';

it('lets a thousand connections wait that come while it is busy', async () => {
  const { port } = await echo();
  const bound = existsSync(SYSTEM_BOUND) ? Number(readFileSync(SYSTEM_BOUND, 'utf8')) : 128;
  const many = Math.min(1_000, bound);
  // Waiting for the other process keeps this one, and so the server, from accepting any.
  const { status, signal } = spawnSync(process.execPath, ['-e', OPENS, String(port), String(many)], {
    timeout: 60_000,
  });
  expect({ status, signal }).toEqual({ status: 0, signal: null });
});
