import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAuthority } from '../../test/certificates.ts';
import { askRemote, outageLine } from './remote-gateway.ts';

describe('a gateway elsewhere under TLS', () => {
  const authority = testAuthority('Own authority');
  const servers: Server[] = [];
  const heard: string[] = [];
  let folder: string;
  let ca: string;

  /** A server that says this; its certificate is for this name. */
  async function serve(status: number, says: string, at: string): Promise<string> {
    const { certificate: cert, privateKey: key } = authority.issue('gateway', { at });
    const server = createServer({ cert, key }, (request, response) => {
      heard.push(`${request.url} ${request.headers.authorization}`);
      response.writeHead(status).end(says);
    });
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }
  const list = async (at: string, how: object = { ca }) =>
    (await askRemote({ at, token: 'tnd_1', ...how }))('listMerchants').catch((error: Error) => error.message);

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tender-remote-'));
    ca = join(folder, 'ca.pem');
    await writeFile(ca, authority.certificate);
  });
  afterAll(async () => {
    for (const server of servers) {
      server.closeAllConnections();
      server.close();
    }
    await rm(folder, { recursive: true });
  });

  it('is asked when its certificate is good, below the path it was named with', async () => {
    const at = await serve(200, '{"answer":[]}', 'IP:127.0.0.1');
    expect(await list(`${at}/behind/`)).toEqual([]);
    expect(heard).toEqual(['/behind/admin/api/listMerchants Bearer tnd_1']);
  });

  it('hears no token when its certificate is not', async () => {
    heard.length = 0;
    const [own, foreign] = [await serve(200, '{}', 'IP:127.0.0.1'), await serve(200, '{}', 'DNS:another.example')];
    expect(await list(own, {})).toMatch(/is of an authority nobody here knows \(\w+\); name it with --ca$/);
    expect(await list(foreign)).toBe(`the certificate of ${foreign} is for another name`);
    expect(heard).toEqual([]);
  });

  it.each([
    [401, '{"error":"the token is wrong"}', 'the token is wrong, or it has ended'],
    [403, '{"error":"this needs an operator; vic is a viewer"}', 'this needs an operator; vic is a viewer'],
    [404, '{"error":"this gateway has no verb \\"x\\""}', 'this gateway has no verb "x"'],
    [400, '{"error":"a; b","faults":["a","b"]}', 'a; b'],
  ])('is told as it says: %s', async (status, says, told) => {
    expect(await list(await serve(status, says, 'IP:127.0.0.1'))).toMatch(new RegExp(`(^|: )${told}$`));
  });

  it.each([
    [502, '<html>'],
    [200, '<html>'],
    [200, 'null'],
    [500, '{}'],
  ])('is no gateway when it answers %s %s', async (status, says) => {
    const at = await serve(status, says, 'IP:127.0.0.1');
    expect(await list(at)).toBe(`${at} does not answer as a gateway's administrators' interface does (HTTP ${status})`);
  });
});

it.each([
  [{ code: 'ENOTFOUND' }, 'https://x cannot be reached: ENOTFOUND'],
  [{ code: 'CERT_HAS_EXPIRED' }, 'the certificate of https://x has expired'],
  [{ code: 'EPROTO' }, 'https://x does not speak TLS as it should (EPROTO)'],
  [{ name: 'AbortError' }, 'https://x did not answer in time'],
  [{ message: 'its answer is too long' }, 'https://x cannot be reached: its answer is too long'],
])('what kept a gateway from answering is one line: %j', (error, line) => {
  expect(outageLine(error as NodeJS.ErrnoException, 'https://x')).toBe(line);
});
