import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { gentleClose } from '../gentle-close.ts';
import { sendStream } from './streamed-reply.ts';

/** More than a connection holds by itself. */
const LOT = 'x'.repeat(4 * 1024 * 1024);

const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function serving(stream: () => AsyncIterable<string>, lotMs?: number) {
  const sent: Promise<unknown>[] = [];
  const server = createServer((_, response) => {
    const reply = { status: 200, headers: {}, stream: stream() };
    sent.push(sendStream(response, reply, lotMs).catch((error) => error));
  });
  const close = gentleClose(server);
  ends.push(async () => server.closeAllConnections());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const request = get({ port, host: '127.0.0.1', agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  return { response, close, sent };
}

async function* withoutEnd() {
  for (;;) {
    await sleep(1);
    yield LOT;
  }
}

const cut = (response: IncomingMessage) =>
  new Promise<boolean>((resolve) => response.on('close', () => resolve(!response.complete)));

it('ends when the server closes, also while its reader takes nothing', async () => {
  const { response, close, sent } = await serving(withoutEnd);
  response.pause();
  await Promise.all([close(), ...sent]);
  const isCut = cut(response);
  response.resume();
  expect(await isCut).toBe(true);
  expect(await sent[0]).toBeUndefined();
});

it('is given up by whoever takes a lot too slowly, however steadily', async () => {
  const { response, sent } = await serving(withoutEnd, 300);
  const isCut = cut(response);
  response.pause();
  const trickle = setInterval(() => response.read(1), 10);
  ends.push(async () => clearInterval(trickle));
  await sent[0];
  clearInterval(trickle);
  response.resume();
  expect(await isCut).toBe(true);
});

it('is given up also when only the end of it is not taken', async () => {
  const { response, sent } = await serving(async function* () {
    yield LOT;
  }, 300);
  const isCut = cut(response);
  response.pause();
  await sent[0];
  response.resume();
  expect(await isCut).toBe(true);
});

it('waits for a lot that is long in the making', async () => {
  const { response, sent } = await serving(async function* () {
    yield 'one';
    await sleep(300);
    yield 'two';
  }, 100);
  const parts: string[] = [];
  for await (const part of response) parts.push(String(part));
  expect([parts.join(','), response.complete, await sent[0]]).toEqual(['one,two', true, undefined]);
});

it('tells what broke it', async () => {
  const { response, sent } = await serving(async function* () {
    yield 'one';
    throw new Error('no more pages');
  });
  const isCut = cut(response);
  response.resume();
  expect([await isCut, await sent[0]]).toEqual([true, new Error('no more pages')]);
});
