// The first start of a sandbox: the demo merchant is made whole or not at all, however many start at once and whatever
// ends one.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createKeyFile, openStore, type RunningGateway, seedStoreWith, startGateway } from '../../src/compose/index.ts';
import { type DemoParts, ensureDemo } from '../../src/processing/node/demo.ts';
import { configurationStore } from '../../src/storage/configuration.ts';
import { sessionDatabase } from '../../src/storage/connection/transaction.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { shared } from '../contracts/databases.ts';

const own: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const drop of own.splice(0).reverse()) await drop();
});

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tender-test-'));
  own.push(() => rm(path, { recursive: true, force: true }));
  return path;
}

async function start(place: { dataFolder: string; databaseUrl?: string | undefined; keyFile?: string }) {
  const settings = { mode: 'sandbox', host: '127.0.0.1', port: 0, ...place } as const;
  const gateway = await startGateway(settings, { log: createLog(() => {}) });
  own.push(() => gateway.close());
  return gateway;
}

function expectDemo({ configuration }: RunningGateway): void {
  expect(configuration.byLogin('demo')).toMatchObject({ controlKeys: [{ keyId: 'demo-control' }] });
  expect(['101', '102', '103', '104', '105', '200', '201'].filter((id) => !configuration.target(id))).toEqual([]);
}

describe.skipIf(!shared.available)('two sandboxes that start at once on one new database', () => {
  it('both come up, with one demo merchant', async () => {
    const { place, drop } = await shared.open();
    own.push(drop);
    const databaseUrl = 'url' in place ? place.url : undefined;
    const [one, other] = [await folder(), await folder()];
    const keyFile = join(one, 'keys');
    await createKeyFile(keyFile);
    const both = await Promise.all([one, other].map((dataFolder) => start({ dataFolder, databaseUrl, keyFile })));
    for (const gateway of both) {
      await gateway.configuration.refresh();
      expectDemo(gateway);
    }
  });
});

it('a start that is broken off leaves nothing behind that the next one would take for the demo merchant', async () => {
  const dataFolder = await folder();
  const store = await openStore({ mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder });
  try {
    const { database, records, vault } = store;
    const parts = { vault, privateKeyPath: join(dataFolder, 'demo-private-key.pem'), now: Date.now() };
    const inTransaction: DemoParts['inTransaction'] = (work) =>
      database.transaction((session) => {
        const configuration = configurationStore(sessionDatabase(database, session), records);
        return work({ ...configuration, addGroup: () => Promise.reject(new Error('killed')) });
      });
    await expect(ensureDemo({ ...parts, inTransaction })).rejects.toThrow('killed');
  } finally {
    await store.close();
  }
  expectDemo(await start({ dataFolder }));
});

it('a start on a database that was filled with made-up orders before has the demo merchant too', async () => {
  const dataFolder = await folder();
  await seedStoreWith({ mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder }, 10, () => {});
  const gateway = await start({ dataFolder });
  expectDemo(gateway);
  expect(gateway.configuration.byLogin('seed-1')).toBeDefined();
});
