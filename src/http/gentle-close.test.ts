import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { gentleClose } from './gentle-close.ts';

async function open(answer: (response: ServerResponse, request: IncomingMessage) => void) {
  const server = createServer((request, response) => answer(response, request));
  const close = gentleClose(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { close, port: (server.address() as AddressInfo).port };
}

type Heard = { readonly status: number | undefined; readonly connection: string | undefined };

function ask(port: number, agent: Agent): Promise<Heard> {
  return new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port, agent }, async (response) => {
      await text(response);
      resolve({ status: response.statusCode, connection: response.headers.connection });
    }).on('error', reject);
  });
}

describe('a server that is closed while it is asked', () => {
  it('answers everybody who goes on asking, the last time with an end of the connection', async () => {
    const { close, port } = await open((response) => setTimeout(() => response.end('good'), Math.random() * 10));
    const agents = Array.from({ length: 20 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
    await Promise.all(agents.map((agent) => ask(port, agent)));
    const clients = agents.map((agent) => {
      const heard: Heard[] = [];
      const asking = async () => {
        for (;;) heard.push(await ask(port, agent));
      };
      return { heard, ended: asking().catch((error) => error) };
    });
    await expect.poll(() => clients.every(({ heard }) => heard.length > 2)).toBe(true);
    await close();
    for (const { heard, ended } of clients) {
      const error = await ended;
      expect(heard.pop()).toEqual({ status: 200, connection: 'close' });
      for (const one of heard) expect(one).toEqual({ status: 200, connection: 'keep-alive' });
      expect(error).toMatchObject({ code: 'ECONNREFUSED' });
    }
  });

  it('closes connections that nobody uses, also those that were never used', async () => {
    const { close, port } = await open((response) => response.end('good'));
    const unused = connect(port, '127.0.0.1').resume();
    await once(unused, 'connect');
    await ask(port, new Agent({ keepAlive: true }));
    await Promise.all([close(), once(unused, 'close')]);
  });

  it('answers every one of several requests that were sent at once', async () => {
    const waiting: ServerResponse[] = [];
    const { close, port } = await open((response) => waiting.push(response));
    const client = connect(port, '127.0.0.1');
    const heard = text(client);
    const request = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    client.write(request + request);
    while (waiting.length < 2) await sleep(5);
    const closed = close();
    client.write(request);
    while (waiting.length < 3) await sleep(5);
    for (const response of waiting) response.end('good');
    expect((await heard).match(/^Connection: .*/gm)).toEqual([
      'Connection: keep-alive',
      'Connection: keep-alive',
      'Connection: close',
    ]);
    await closed;
  });
});
