import { expect, it } from 'vitest';
import type { Database } from '../database.ts';
import { refuseOldServer } from './postgres.ts';

const server = (number: number) => ({ query: async () => [{ number }] }) as unknown as Database;

it('takes PostgreSQL from version 14 on', async () => {
  await refuseOldServer(server(140_000));
  await refuseOldServer(server(180_001));
  await expect(refuseOldServer(server(130_022))).rejects.toThrow('PostgreSQL 14 or newer is needed, the server is 13');
});
