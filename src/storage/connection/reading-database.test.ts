import { expect, it } from 'vitest';
import type { Database, Session } from '../database.ts';
import { readingDatabase } from './reading-database.ts';

const away = async () => {
  throw new Error('it is away');
};
const standby: Database = { kind: 'postgres', query: away, flight: away, script: away, transaction: away, close: away };

/** It answers, and tells whoever asks in a transaction what it is. */
function server(isCluster: boolean): Database {
  const session: Session = {
    ...(isCluster && { isCluster }),
    query: async () => [],
    flight: async () => [] as never,
    script: async () => {},
  };
  return { ...session, kind: 'postgres', transaction: (work) => work(session), close: async () => {} };
}

it.each([true, false])('is asked as its primary is, whether that is a cluster: %s', async (isCluster) => {
  const reading = readingDatabase({ primary: server(isCluster), standby });
  expect(reading.isCluster ?? false).toBe(isCluster);
  expect(await reading.transaction(async (session) => session.isCluster ?? false)).toBe(isCluster);
  await reading.close().catch(() => {});
});
