import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readBooks } from '../../acquirers/index.ts';
import { startSharedOutside } from './shared-outside.ts';

it('has a bank that answers the workers alone in production', async () => {
  const dataFolder = await mkdtemp(join(tmpdir(), 'tender-shared-'));
  const outside = await startSharedOutside({ mode: 'production', host: '127.0.0.1', port: 0, dataFolder });
  try {
    const bankUrl = outside.settings.bankUrl as string;
    const { origin } = new URL(bankUrl);
    for await (const entry of readBooks(bankUrl)) expect(entry).toBeUndefined();
    const headers = { authorization: `Basic ${Buffer.from('worker:guessed').toString('base64')}` };
    for (const [method, path] of [
      ['GET', '/v1/books'],
      ['PUT', '/v1/faults'],
      ['POST', '/v1/reversals'],
    ] as const) {
      const body = method === 'GET' ? null : '{}';
      expect([path, (await fetch(`${origin}${path}`, { method, body })).status]).toEqual([path, 401]);
      expect([path, (await fetch(`${origin}${path}`, { method, body, headers })).status]).toEqual([path, 401]);
    }
  } finally {
    await outside.close();
    await rm(dataFolder, { recursive: true, force: true });
  }
});
