import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AdminNote } from '../http/admin/admin-note.ts';
import { ownIdentity } from '../storage/embedded/process-identity.ts';
import { findRunning } from './administrator.ts';

describe('the gateway a note in the data folder tells of', () => {
  let data: string;
  let server: Server;
  let url: string;
  let asked = 0;

  beforeAll(async () => {
    data = await mkdtemp(join(tmpdir(), 'tender-note-'));
    server = createServer((_request, response) => {
      asked++;
      response.end('{"answer":[]}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    server.closeAllConnections();
    server.close();
    await rm(data, { recursive: true });
  });

  async function found(changes: Partial<AdminNote>) {
    const note = { url, token: 'secret', database: 'embedded', ...(await ownIdentity()), ...changes };
    await writeFile(join(data, 'admin.json'), JSON.stringify(note));
    return findRunning({ data });
  }

  it('is asked when it is there', async () => {
    expect(await (await found({}))?.ask('listMerchants')).toEqual([]);
    expect(asked).toBe(1);
  });

  it.each<[string, Partial<AdminNote>]>([
    ['its process ended', { pid: 2 ** 22 + 1 }],
    ['it ran in another container or on another machine', { place: '0123456789ab' }],
    ['nobody listens at its door', { url: 'http://127.0.0.1:1' }],
  ])('does not run, and nobody is told the token, when %s', async (_name, changes) => {
    const before = asked;
    expect(await found(changes)).toBeUndefined();
    expect(asked).toBe(before);
  });

  it.skipIf(process.platform !== 'linux')('does not run either when another process has its number', async () => {
    const before = asked;
    expect(await found({ startedAt: '1' })).toBeUndefined();
    expect(asked).toBe(before);
  });
});
