// The attack: records are signed once, when a gateway from before is upgraded. Somebody who writes into the database
// takes the signatures and their key away, in the hope that what they wrote is signed at the next start.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openStore, type Store } from '../../src/compose/index.ts';
import { MIGRATIONS_FOLDER, migrate, readMigrations } from '../../src/storage/connection/migrate.ts';
import { openDatabase } from '../../src/storage/connection/open-database.ts';
import { RECORDS_MIGRATION } from '../../src/storage/records/signing-history.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { kindsOfThisFile } from '../harness.ts';

const MERCHANT = `insert into merchants (merchant_id, login, name, enabled, allowed_addresses, allowed_operations, created_at)
  values (7, 'older', 'From before', true, '{}', '{}', now())`;

const DIGEST = `decode(repeat('00', 32), 'hex')`;

/** What tells that somebody has worked with a database, each alone. */
const SIGNS_OF_USE: Readonly<Record<string, string>> = {
  merchants: MERCHANT,
  merchant_keys: `insert into merchant_keys (merchant_id, key_id, kind, public_key, valid_from, created_at)
    values (7, 'theirs', 'rsa', 'none', now(), now())`,
  people: `insert into people (name, role, created_at, handle)
    values ('theirs', 'administrator', now(), ${DIGEST})`,
  audit_log: `insert into audit_log (seq, at, who, action, subject, details, previous, hash)
    values (1, now(), 'ann', 'setMerchant', 'merchant older', '{}', ${DIGEST}, ${DIGEST})`,
};

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available || kind.noOlder)(`records of a gateway from before, on ${kind.name}`, () => {
    const closing: (() => Promise<unknown>)[] = [];
    afterEach(async () => {
      for (const close of closing.splice(0).reverse()) await close();
    });

    /** A database as the last version without signatures left it, and the way to open it with this one. */
    async function older() {
      const dataFolder = await mkdtemp(join(tmpdir(), 'tender-older-'));
      closing.push(() => rm(dataFolder, { recursive: true, force: true }));
      const server = kind.kind === 'postgres' ? await kind.open() : undefined;
      if (server) closing.push(() => server.drop());
      const database = server?.database ?? (await openDatabase({ dataFolder: join(dataFolder, 'database') }));
      const all = await readMigrations(MIGRATIONS_FOLDER);
      const last = all.findIndex(({ name }) => name === RECORDS_MIGRATION);
      await migrate(database, MIGRATIONS_FOLDER, { upTo: last });
      await database.script(MERCHANT);
      if (!server) await database.close();
      const script = async (sql: string) => {
        const opened = server?.database ?? (await openDatabase({ dataFolder: join(dataFolder, 'database') }));
        await opened.script(sql);
        if (!server) await opened.close();
      };
      const said: string[] = [];
      const open = (vouches?: true) =>
        openStore(
          { mode: 'sandbox', host: '127.0.0.1', port: 0, dataFolder, databaseUrl: server?.place.url },
          { log: createLog((line) => said.push(line)), vouches },
        );
      return { open, said, script };
    }

    const during = async <T>(opening: Promise<Store>, work: (store: Store) => Promise<T>): Promise<T> => {
      const store = await opening;
      try {
        return await work(store);
      } finally {
        await store.close();
      }
    };
    const entries = ({ database }: Store) =>
      database.query({ name: 'test-signings', text: `select who, action from audit_log` });
    const merchants = async (store: Store) => (await store.configuration.read()).merchants.map(({ login }) => login);

    it('are signed once, which the log and the audit chain tell', async () => {
      const { open, said } = await older();
      const signing = { who: 'tender at the upgrade', action: 'signRecords' };
      await during(open(), async (store) => {
        expect(await merchants(store)).toEqual(['older']);
        expect(await entries(store)).toEqual([signing]);
      });
      expect(said.filter((line) => line.includes('records were signed as they are at this upgrade'))).toHaveLength(1);
      await during(open(), async (store) => {
        expect(await merchants(store)).toEqual(['older']);
        expect(await entries(store)).toEqual([signing]);
      });
    });

    it.each([
      [
        'whose key was missing',
        `insert into data_keys (data_key_id, purpose, wrapped, kek_id, created_at)
         values (1, 'seal', '\\x00', 'kek-elsewhere', now())`,
        'delete from data_keys',
      ],
      [
        'that ended while it signed',
        `create function fail() returns trigger language plpgsql as $$ begin raise 'the disk is full'; end $$;
         create trigger fails before insert on audit_log for each row execute function fail()`,
        'drop trigger fails on audit_log; drop function fail',
      ],
    ])('are signed by the next start after one %s', async (_, hinder, mend) => {
      const { open, script } = await older();
      await script(hinder);
      await expect(open()).rejects.toThrow(/kek-elsewhere|the disk is full/);
      await script(mend);
      await during(open(), async (store) => {
        expect(await merchants(store)).toEqual(['older']);
        expect(await entries(store)).toHaveLength(1);
      });
    });

    it('are not signed again when signatures and key are taken away, nor when somebody vouches for them', async () => {
      const { open, said } = await older();
      await during(open(), async ({ database }) => {
        await database.script(`${MERCHANT.replace('7,', '8,').replace('older', 'theirs')};
          delete from record_macs; delete from record_sets; delete from data_keys where purpose = 'records'`);
      });
      for (const vouches of [undefined, true] as const) {
        await during(open(vouches), async (store) => {
          expect(await merchants(store)).toEqual([]);
          expect(await entries(store)).toHaveLength(1);
        });
      }
      expect(said.filter((line) => line.includes('no record of this database is signed'))).toHaveLength(2);
    });

    it('are not signed as those of a new database while anything is left of what was there', async () => {
      const { open, said } = await older();
      const everything = [...Object.keys(SIGNS_OF_USE), 'record_macs', 'record_sets'];
      const leaveOnly = (sign: string) => `set session_replication_role = replica;
        ${everything.map((table) => `delete from ${table}`).join(';')};
        delete from data_keys where purpose = 'records'; ${sign}; set session_replication_role = default`;
      let left: string | undefined;
      for (const [next, sign] of [...Object.entries(SIGNS_OF_USE), ['nothing more', 'select 1'] as const]) {
        await during(open(), async ({ database, vault }) => {
          if (left !== undefined) expect(vault.recordKey, left).toBeUndefined();
          await database.script(leaveOnly(sign));
        });
        left = next;
      }
      const alarms = said.filter((line) => line.includes('no record of this database is signed'));
      expect(alarms).toHaveLength(Object.keys(SIGNS_OF_USE).length);
    });

    it('stay right over a migration that changes what they say, and what was wrong stays wrong', async () => {
      const { open } = await older();
      await during(open(), async ({ database, records }) => {
        await database.script(MERCHANT.replace('7,', '8,').replace('older', 'theirs'));
        const before = await database.transaction((session) => records.look(session));
        await database.script(`alter table merchants add column later text not null default 'new'`);
        const whole = async () => (await database.transaction((session) => records.lookForTampering(session))).tampered;
        expect((await whole()).map(({ place }) => place)).toEqual(['merchants 7', 'merchants 8']);
        await database.transaction((session) => records.signAll(session, { at: 1, before }));
        expect((await whole()).map(({ place }) => place)).toEqual(['merchants 8']);
      });
    });
  });
}
