// What administration and nodes rely on from the store of terminals, held on both databases.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DEMO_TERMINAL, newTerminal } from '../../src/domain/acquirer/terminal.ts';
import { configurationStore } from '../../src/storage/configuration.ts';
import type { Records } from '../../src/storage/records/records.ts';
import { type StoredTerminal, type TerminalStore, terminalStore } from '../../src/storage/terminals.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { signedRecords } from './signed-records.ts';

const ACME: StoredTerminal = {
  ...newTerminal({ name: 'acme', connector: 'wired' }),
  settings: { host: 'bank.example', port: 8583, tls: true, networks: ['a', 'b'] },
  secretNames: [],
  sealed: undefined,
};

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the store of terminals, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let store: TerminalStore;
    let records: Records;
    const read = () => configurationStore(opened.database, records).read();

    beforeAll(async () => {
      opened = await kind.openMigrated();
      records = await signedRecords(opened.database);
      store = terminalStore(opened.database, records);
    });
    afterAll(() => opened?.drop());

    it('has the simulated bank from the beginning, which takes everything', async () => {
      const { terminals } = await read();
      expect(terminals).toMatchObject([
        { ...newTerminal({ name: DEMO_TERMINAL, connector: 'simulator' }), settings: {} },
      ]);
    });

    it('gives back what was added, after what was there, and counts the version up', async () => {
      const { version } = await read();
      await store.add(ACME, Date.now() + 1_000);
      const after = await read();
      expect(after.terminals.map(({ name }) => name)).toEqual([DEMO_TERMINAL, 'acme']);
      expect(after.terminals[1]).toEqual(ACME);
      expect(after.version).not.toBe(version);
    });

    it('takes a name once', async () => {
      await expect(store.add(ACME, 0)).rejects.toMatchObject({ sqlState: '23505' });
    });

    it('changes everything but the name and the connector, and counts the version up', async () => {
      const { version } = await read();
      const changed: StoredTerminal = {
        ...ACME,
        ...{ enabled: false, currencies: ['USD', 'EUR'], brands: ['VISA'], operations: ['sale', 'push'] },
        ...{ minimum: '0.50', maximum: '999999999999.999', dayAmount: '10', dayCount: 1_000_000_000 },
        ...{ merchantNumber: 'M-1', terminalNumber: '00000001', settings: { host: 'other.example' } },
        ...{ secretNames: ['key', 'password'], sealed: { bytes: Buffer.from('sealed'), dataKeyId: 1 } },
      };
      await store.set({ ...changed, connector: 'another' }, 'new secrets');
      const after = await read();
      expect(after.terminals[1]).toEqual(changed);
      expect(after.version).not.toBe(version);
      await store.set(ACME, 'same secrets');
      const { secretNames, sealed } = changed;
      expect((await read()).terminals[1]).toEqual({ ...ACME, secretNames, sealed });
      await store.set(ACME, 'new secrets');
      expect((await read()).terminals[1]).toEqual(ACME);
    });

    it.each([
      ['a name of another form', { name: 'Acme' }],
      ['an amount of another form', { name: 'other', minimum: '1,5' }],
      ['no payments at all in a day', { name: 'other', dayCount: 0 }],
      ['secrets that are named and not sealed', { name: 'other', secretNames: ['key'] }],
      ['secrets that are sealed and not named', { name: 'other', sealed: { bytes: Buffer.from('x'), dataKeyId: 1 } }],
    ])('refuses %s', async (_, wrong) => {
      await expect(store.add({ ...ACME, ...wrong }, 0)).rejects.toMatchObject({ sqlState: '23514' });
    });

    it('finds nothing under way where nothing was sent', async () => {
      expect(await store.hasUnderWay('acme')).toBe(false);
    });
  });
}
