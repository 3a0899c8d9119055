import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createPlainServer, type Server as PlainServer } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { afterEach, describe, expect, it } from 'vitest';
import { CallbackClient, type Resolve } from './client.ts';

/** Short limits for calls that must time out; calls that will be answered may take as long as a busy machine needs. */
const HURRIED = { connectMs: 300, totalMs: 500, bodyMs: 200 };
const PATIENT = { connectMs: 60_000, totalMs: 60_000, bodyMs: 60_000 };

const open: (Server | PlainServer)[] = [];

afterEach(async () => {
  for (const server of open.splice(0)) {
    if ('closeAllConnections' in server) server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
});

async function listening<S extends Server | PlainServer>(server: S, host = '127.0.0.1'): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  open.push(server);
  return (server.address() as AddressInfo).port;
}

const serving = (answer: (request: IncomingMessage, response: ServerResponse) => void) =>
  listening(createServer(answer));

const get = (url: string, { loopback = true, resolve = async () => [] as string[], timeouts = PATIENT } = {}) =>
  new CallbackClient({ resolve: resolve as Resolve, timeouts }).get({
    url: new URL(url),
    headers: { 'x-mark': '1' },
    policy: { loopback },
  });

describe('a merchant is called', () => {
  it('at the address its name leads to, by its name', async () => {
    let host: string | undefined;
    const port = await serving((request, response) => {
      host = request.headers.host;
      response.end(`${request.method} ${request.url} ${request.headers['x-mark']}`);
    });
    const called = await get(`http://shop.example:${port}/paid?a=1`, { resolve: async () => ['127.0.0.1'] });
    expect(called).toEqual({ address: '127.0.0.1', status: 200, answer: 'GET /paid?a=1 1', fault: undefined });
    expect(host).toBe(`shop.example:${port}`);
  });

  it('at the next of its addresses when nobody is at the first', async () => {
    const port = await serving((_, response) => response.end('here'));
    const called = await get(`http://shop.example:${port}/`, { resolve: async () => ['127.0.0.2', '127.0.0.1'] });
    expect(called).toMatchObject({ address: '127.0.0.1', status: 200 });
  });

  it('never at an address inside, whatever its name says', async () => {
    let calls = 0;
    const port = await serving((_, response) => response.end(String(++calls)));
    for (const addresses of [['127.0.0.1'], ['::1'], ['10.0.0.1', '::ffff:127.0.0.1'], ['169.254.169.254']]) {
      const resolve = async () => addresses;
      const called = await get('http://rebound.example:8080/', { loopback: false, resolve });
      expect(called).toMatchObject({ status: undefined, fault: 'it leads to a local or private address' });
    }
    for (const url of [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, 'http://8.8.8.8:22/']) {
      expect((await get(url, { loopback: false })).fault).toMatch(/^it may not be called: /);
    }
    expect(calls).toBe(0);
  });

  it('in a sandbox by the name localhost, but not at private addresses', async () => {
    const port = await serving((_, response) => response.end());
    expect(await get(`http://localhost:${port}/`)).toMatchObject({ status: 200, address: '127.0.0.1' });
    const called = await get('http://inside.example/', { resolve: async () => ['192.168.1.1'] });
    expect(called.fault).toBe('it leads to a local or private address');
  });

  it('over TLS by its name, and only with a certificate of that name', async () => {
    let asked: string | undefined;
    const server = createTlsServer({
      SNICallback: (name, done) => {
        asked = name;
        done(new Error('no certificate'));
      },
    });
    server.on('tlsClientError', () => {});
    const port = await listening(server);
    const called = await get(`https://shop.example:${port}/`, { resolve: async () => ['127.0.0.1'] });
    expect(called).toMatchObject({ address: '127.0.0.1', fault: expect.stringMatching(/^the connection broke/) });
    expect(asked).toBe('shop.example');
  });

  it('and no redirect is followed', async () => {
    const asked: string[] = [];
    const port = await serving((request, response) => {
      asked.push(request.url ?? '');
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    expect((await get(`http://127.0.0.1:${port}/`)).status).toBe(302);
    expect(asked).toEqual(['/']);
  });
});

describe('a merchant who', () => {
  it('has no address, or refuses connections, is not reached', async () => {
    expect((await get('http://nowhere.example/')).fault).toBe('its name leads nowhere');
    const failing = async () => {
      throw new Error('SERVFAIL');
    };
    expect((await get('http://nowhere.example/', { resolve: failing })).fault).toBe('the connection broke');
    const port = await serving((_, response) => response.end());
    expect((await get(`http://127.0.0.3:${port}/`)).fault).toBe('it could not be reached');
  });

  it('never answers, or whose name servers never do, is waited for a bounded time', async () => {
    const port = await serving(() => {});
    const slowly = { timeouts: HURRIED, resolve: () => new Promise<string[]>(() => {}) };
    expect((await get(`http://127.0.0.1:${port}/`, { timeouts: HURRIED })).fault).toBe('it did not answer in time');
    expect((await get('http://slow.example/', slowly)).fault).toMatch(/in time/);
  });

  it('closes the connection, or speaks something else, gave no answer', async () => {
    const port = await serving((_, response) => response.destroy());
    expect((await get(`http://127.0.0.1:${port}/`)).fault).toMatch(/^the connection broke/);
    const rude = await listening(
      createPlainServer((socket) =>
        socket
          .on('error', () => {})
          .resume()
          .end('hello there\r\n\r\n'),
      ),
    );
    expect((await get(`http://127.0.0.1:${rude}/`)).fault).toMatch(/^the connection broke/);
    expect((await get(`https://127.0.0.1:${rude}/`)).fault).toMatch(/^the connection broke/);
  });

  it('wants to speak another protocol gave no answer', async () => {
    const port = await listening(
      createPlainServer((socket) =>
        socket
          .on('error', () => {})
          .once('data', () =>
            socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'),
          ),
      ),
    );
    expect((await get(`http://127.0.0.1:${port}/`)).fault).toMatch(/^the connection broke/);
  });

  it('answers without end is heard for two kilobytes', async () => {
    const port = await serving((_, response) => {
      const more = () => response.write('x'.repeat(1_000), () => setTimeout(more, 1));
      more();
    });
    const called = await get(`http://127.0.0.1:${port}/`);
    expect(called).toMatchObject({ status: 200, answer: 'x'.repeat(2_048) });
  });

  it('answers 200 and then hangs has answered', async () => {
    const port = await serving((_, response) => response.write('well'));
    const briefly = { timeouts: { ...PATIENT, bodyMs: 1_000 } };
    expect(await get(`http://127.0.0.1:${port}/`, briefly)).toMatchObject({ status: 200, answer: 'well' });
  });

  it('sends a card number back does not get it into our log, not even cut in two', async () => {
    const long = `${'x'.repeat(2_036)}4111111111111111`;
    const port = await serving((request, response) => {
      response.end(request.url === '/long' ? long : 'card 4111 1111 1111 1111\0!');
    });
    expect((await get(`http://127.0.0.1:${port}/`)).answer).toMatch(/^card 4111 ?11\*+1111!$/);
    expect((await get(`http://127.0.0.1:${port}/long`)).answer).toBe('x'.repeat(2_036));
  });
});
