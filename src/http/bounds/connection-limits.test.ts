import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { addressesIn } from '../client-address.ts';
import { httpServer, type Listening, listen } from '../http-server.ts';
import { type ConnectionBounds, ConnectionLimits } from './connection-limits.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Recognises who asks for /mine, and keeps who asks for /wait waiting. */
async function open(bounds: ConnectionBounds, proxies?: string[]) {
  const limits = new ConnectionLimits(bounds, proxies && addressesIn(proxies));
  const heard: unknown[] = [];
  const server = httpServer((request, response) => {
    heard.push(request.url);
    if (request.url === '/mine') limits.recognise(request.socket);
    if (request.url !== '/wait') response.end('good');
  });
  limits.watch(server);
  const listening: Listening = await listen(server, {});
  closing.push(() => listening.cut());
  return { limits, heard, port: listening.port };
}

/** A connection that says nothing, from any address of this machine. */
async function silent(port: number, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress });
  socket.on('error', () => {});
  closing.push(() => socket.destroy());
  await once(socket, 'connect');
  return socket;
}

const isClosed = (socket: Socket) => expect.poll(() => socket.destroyed || socket.readableEnded).toBe(true);

/** A connection that asked once and stays open. */
async function asked(port: number, path: string, localAddress: string): Promise<Socket> {
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  return new Promise((resolve, reject) => {
    const request = get({ host: '127.0.0.1', port, path, agent, localAddress }, async (response) => {
      const { socket } = response;
      await text(response);
      resolve(socket);
    });
    request.on('error', reject);
  });
}

describe('connections', () => {
  it('of one address range are closed at once beyond its bound, and others are not', async () => {
    const { limits, port } = await open({ all: 100, perBlock: 3 });
    for (const last of [1, 2, 3]) await silent(port, `127.0.0.${last}`);
    const fourth = await silent(port, '127.0.0.4');
    fourth.resume();
    await isClosed(fourth);
    expect(limits.closed).toEqual({ perBlock: 1, all: 0 });
    await asked(port, '/', '127.0.1.1');
    expect(limits.open).toBe(4);
  });

  it('of an address range may be made again once others of it are gone', async () => {
    const { limits, port } = await open({ all: 100, perBlock: 1 });
    const first = await silent(port);
    await expect.poll(() => limits.open).toBe(1);
    first.destroy();
    await expect.poll(() => limits.open).toBe(0);
    await asked(port, '/', '127.0.0.1');
  });

  it('of a known proxy are not counted for its address range', async () => {
    const { limits, port } = await open({ all: 100, perBlock: 1 }, ['127.0.0.1']);
    for (let one = 0; one < 5; one++) await silent(port);
    await expect.poll(() => limits.open).toBe(5);
    expect(limits.closed.perBlock).toBe(0);
  });

  it('that say nothing give way to a newcomer, the longest silent first', async () => {
    const { limits, port } = await open({ all: 3, perBlock: 100 });
    const [first, second, third] = [await silent(port), await silent(port), await silent(port)];
    await expect.poll(() => limits.open).toBe(3);
    first.resume();
    await asked(port, '/', '127.0.1.1');
    await isClosed(first);
    expect([second.destroyed, third.destroyed, limits.open, limits.closed.all]).toEqual([false, false, 3, 1]);
  });

  it('of strangers who are idle give way next, those of who was recognised or waits never', async () => {
    const { limits, heard, port } = await open({ all: 3, perBlock: 100 });
    const mine = await asked(port, '/mine', '127.0.1.1');
    const strange = await asked(port, '/', '127.0.2.1');
    const waiting = await silent(port, '127.0.3.1');
    waiting.write('GET /wait HTTP/1.1\r\nHost: x\r\n\r\n');
    await expect.poll(() => heard).toContain('/wait');
    await asked(port, '/mine', '127.0.4.1');
    await isClosed(strange);
    const tooMany = await silent(port, '127.0.5.1');
    tooMany.resume();
    await isClosed(tooMany);
    expect([mine.destroyed, waiting.destroyed, limits.open]).toEqual([false, false, 3]);
  });
});
