// Administrators on two nodes at once: each changes what the other one has left, and undoes nothing by it.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf, openStore } from '../../src/compose/index.ts';
import { systemClock } from '../../src/domain/clock.ts';
import { type OpenedDatabase, shared } from '../contracts/databases.ts';
import { until } from '../harness.ts';

const HOLD = { name: 'test-hold', text: 'select version from configuration_version for update' };
const WAITING = {
  name: 'test-waiting',
  text: `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
};

describe.skipIf(!shared.available)('administrators on two nodes', () => {
  let opened: OpenedDatabase;
  let dataFolder: string;
  const closing: (() => Promise<unknown>)[] = [];

  const node = async () => {
    const databaseUrl = 'url' in opened.place ? opened.place.url : undefined;
    const store = await openStore({ mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder, databaseUrl });
    closing.push(() => store.close());
    const options = { mode: 'sandbox', clock: systemClock, changed: async () => {} } as const;
    const { administration } = administrationOf(store, options);
    return <V extends VerbName>(verb: V, given: Given) => administration.ask(verb, given, 'ann@desk by test');
  };

  beforeAll(async () => {
    opened = await shared.open();
    dataFolder = await mkdtemp(join(tmpdir(), 'tender-test-'));
  });

  afterAll(async () => {
    for (const close of closing) await close();
    await opened.drop();
    await rm(dataFolder, { recursive: true, force: true });
  });

  it('do not undo what the other one did a moment before', async () => {
    const [ann, bob] = [await node(), await node()];
    await ann('addMerchant', { login: 'shop' });
    await ann('addEndpoint', { login: 'shop', currency: 'USD' });
    // Whoever changes the configuration waits here, so that both are under way at once.
    const changes = await opened.database.transaction(async (session) => {
      await session.query(HOLD);
      const both = [
        ann('setEndpoint', { endpointId: 101, strictSigning: true }),
        bob('setEndpoint', { endpointId: 101, maximum: '50.00' }),
      ];
      await until('both wait', async () => (await session.query(WAITING)).length === both.length);
      return { both };
    });
    await Promise.all(changes.both);
    expect(await ann('showEndpoint', { endpointId: 101 })).toMatchObject({ strictSigning: true, maximum: '50.00' });
  });
});
