import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Administration } from '../administration/administration.ts';
import { InvalidInput, OutOfReach } from '../administration/verb/invalid-input.ts';
import { ConnectionLost, DatabaseError } from '../storage/database.ts';
import type { Log } from '../telemetry/log.ts';
import { startAdminDoor } from './admin-door.ts';

const log = { error: () => {} } as unknown as Log;

/** What an administrator is told whose verb fails like this. */
async function toldOf(failure: Error) {
  const folder = await mkdtemp(join(tmpdir(), 'tender-door-'));
  const path = join(folder, 'admin.json');
  const administration = { has: () => true, ask: () => Promise.reject(failure) } as unknown as Administration;
  const identity = { pid: process.pid, startedAt: '0', place: '0' };
  const door = await startAdminDoor({ administration, document: {}, log, path, database: 'embedded', identity });
  try {
    const { url, token } = JSON.parse(await readFile(path, 'utf8'));
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${url}/listMerchants`, { method: 'POST', body: '{}', headers });
    return { status: response.status, ...((await response.json()) as object) };
  } finally {
    await door.close();
    await rm(folder, { recursive: true });
  }
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
});
