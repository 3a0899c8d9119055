import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Administration } from '../../administration/administration.ts';
import { InvalidInput, OutOfReach } from '../../administration/verb/invalid-input.ts';
import { ConnectionLost, DatabaseError } from '../../storage/database.ts';
import type { Log } from '../../telemetry/log.ts';
import { startAdminDoor } from './admin-door.ts';

const log = { error: () => {} } as unknown as Log;

type Asked = { readonly url: string; readonly headers: Record<string, string> };

/** Sends a request to a door whose verbs all fail with this error. */
async function atDoor(failure: Error, ask: (asked: Asked) => Promise<Response>) {
  const folder = await mkdtemp(join(tmpdir(), 'tender-door-'));
  const path = join(folder, 'admin.json');
  const administration = { has: () => true, ask: () => Promise.reject(failure) } as unknown as Administration;
  const identity = { pid: process.pid, startedAt: '0', place: '0' };
  const document = { openapi: '3.1.0' };
  const door = await startAdminDoor({ administration, document, log, path, database: 'embedded', identity });
  try {
    const { url, token } = JSON.parse(await readFile(path, 'utf8'));
    const response = await ask({ url, headers: { authorization: `Bearer ${token}` } });
    return { status: response.status, ...((await response.json()) as object) };
  } finally {
    await door.close();
    await rm(folder, { recursive: true });
  }
}

/** What an administrator is told when a verb fails with this error. */
function toldOf(failure: Error) {
  return atDoor(failure, ({ url, headers }) =>
    fetch(`${url}/admin/api/listMerchants`, { method: 'POST', body: '{}', headers }),
  );
}

describe('an administrator is told', () => {
  it.each([
    [new InvalidInput('login: too long'), 400, 'login: too long'],
    [new DatabaseError('refused', { sqlState: '08001' }), 503, 'the gateway cannot reach its database'],
    [new ConnectionLost('gone'), 503, 'the gateway cannot reach its database'],
    [new OutOfReach('the gateway cannot reach the bank'), 503, 'the gateway cannot reach the bank'],
    [new DatabaseError('odd', { sqlState: '42601' }), 500, 'the gateway failed; its log says why'],
    [new Error('odd'), 500, 'the gateway failed; its log says why'],
  ])('%s', async (failure, status, error) => {
    expect(await toldOf(failure)).toEqual({ status, error });
  });

  it('everything that is wrong, at once', async () => {
    const failure = new InvalidInput('login is missing', 'at: a moment is needed');
    expect(await toldOf(failure)).toEqual({
      status: 400,
      error: 'login is missing; at: a moment is needed',
      faults: ['login is missing', 'at: a moment is needed'],
    });
  });
});

it('a stranger is told what the door can do, and nothing else', async () => {
  const failure = new Error('odd');
  const document = await atDoor(failure, ({ url }) => fetch(`${url}/admin/api/openapi.json`));
  expect(document).toEqual({ status: 200, openapi: '3.1.0' });
  const refused = await atDoor(failure, ({ url }) =>
    fetch(`${url}/admin/api/listMerchants`, { method: 'POST', body: '{}' }),
  );
  expect(refused).toEqual({ status: 401, error: 'the token is wrong' });
});
