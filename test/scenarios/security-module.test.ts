// Key-encryption keys in a security module, here SoftHSM, by way of the key command that docs/examples shows: a gateway
// that never has a key file, one that moves from a file into the module and back, and old keys that are destroyed.

import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPlace, type Place } from '../crash/place.ts';
import { Client, DEMO, kindsOfThisFile } from '../harness.ts';
import { rebillUntilFinal, storeCard } from './stored-cards.ts';
import { Belongings, startProcess, tender } from './tender-process.ts';

const MODULE = process.env.TENDER_TEST_PKCS11_MODULE;
const SCRIPT = fileURLToPath(new URL('../../docs/examples/key-command-pkcs11.sh', import.meta.url));
const run = promisify(execFile);

/** A token of its own, and a command that speaks to it. */
async function newToken(folder: string): Promise<string> {
  await mkdir(join(folder, 'tokens'));
  const configuration = join(folder, 'softhsm2.conf');
  await writeFile(configuration, `directories.tokendir = ${join(folder, 'tokens')}\nobjectstore.backend = file\n`);
  const pins = ['--so-pin', '12345678', '--pin', '87654321'];
  await run('softhsm2-util', ['--init-token', '--free', '--label', 'tender', ...pins], {
    env: { ...process.env, SOFTHSM2_CONF: configuration },
  });
  await writeFile(join(folder, 'pin'), '87654321\n', { mode: 0o600 });
  const command = join(folder, 'key-command');
  const settings = {
    SOFTHSM2_CONF: configuration,
    PKCS11_MODULE: MODULE,
    PKCS11_TOKEN: 'tender',
    PKCS11_PIN_FILE: join(folder, 'pin'),
    PKCS11_CURRENT: join(folder, 'current'),
  };
  const exports = Object.entries(settings).map(([name, value]) => `export ${name}='${value}'`);
  await writeFile(command, ['#!/bin/sh', ...exports, `exec '${SCRIPT}' "$@"`, ''].join('\n'));
  await chmod(command, 0o700);
  return command;
}

for (const kind of kindsOfThisFile()) {
  describe.skipIf(MODULE === undefined || !kind.available)(`keys in a security module, on ${kind.name}`, () => {
    const own = new Belongings();
    let place: Place;
    let command: string;
    beforeAll(async () => {
      place = await newPlace(own, kind);
      command = await newToken(await own.folder());
    });
    afterAll(() => own.drop());

    const inModule = () => ['--key-command', command];
    const inFile = () => ['--key-file', join(place.folder, 'keys')];
    /** A sale and a charge of a stored card, which has to be opened, on a gateway that starts and stops for it. */
    const serve = async (keys: readonly string[], reference?: string) => {
      const gateway = own.keep(await startProcess([...place.args, ...keys]));
      const client = new Client(() => gateway.baseUrl, DEMO);
      const stored = reference ?? (await storeCard(client));
      expect(await rebillUntilFinal(client, stored)).toMatchObject({ status: 'approved' });
      client.close();
      expect((await gateway.process.stop()).code).toBe(0);
      return stored;
    };
    const vault = async (...args: string[]) => {
      const ended = await tender(['vault', ...args, ...place.args]);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      return ended.stdout;
    };
    const complaint = async (...args: string[]) => {
      const { code, stderr } = await tender([...args, ...place.args]);
      expect(code).toBe(1);
      return stderr.trim();
    };
    const kekIds = async () => {
      const rows = await place.looking((query) => query('select distinct kek_id from data_keys order by 1'));
      return rows.map(({ kek_id }) => kek_id as string);
    };
    let reference: string;

    it('a gateway needs no key file', async () => {
      reference = await serve(inModule());
      expect(await readdir(place.folder)).not.toContain('key-encryption-keys');
      expect(await kekIds()).toEqual([expect.stringMatching(/^command:[0-9a-f]{8}$/)]);
      await serve(inModule(), reference);
    });

    it('without the module nothing opens, and the line says where the key is', async () => {
      const [kekId] = await kekIds();
      await tender(['vault', 'create-key-file', join(place.folder, 'other')]);
      expect(await complaint('vault', 'status', '--key-file', join(place.folder, 'other'))).toBe(
        `tender: this database was sealed with the key ${kekId}; name where it is with --key-command or TENDER_KEY_COMMAND`,
      );
      expect(await complaint('vault', 'status', '--key-command', '/bin/false')).toMatch(
        /key command \/bin\/false ended/,
      );
    });

    it('a new key-encryption key is made in the module, and the old one destroyed once nothing needs it', async () => {
      const [before = ''] = await kekIds();
      expect(await complaint('vault', 'retire', before, ...inModule())).toMatch(
        /^tender: \d+ data keys are wrapped under command:\w+; "tender vault rotate --kek" wraps them under a new key first$/,
      );
      await vault('rotate', '--kek', ...inModule());
      const [after = ''] = await kekIds();
      expect(after).not.toBe(before);
      expect(await complaint('vault', 'retire', after, ...inModule())).toMatch(/\d+ data keys are wrapped under/);
      expect(await vault('retire', before, ...inModule())).toContain(`${before} is gone`);
      expect(await complaint('vault', 'retire', before, ...inModule())).toMatch(
        /Could not find key|not found|ended with/,
      );
      await serve(inModule(), reference);
      const audit = await tender(['audit', 'list', '--json', ...inModule(), ...place.args]);
      expect(audit.stdout).toContain('retireKeyEncryptionKey');
      expect(audit.stdout).toContain(before);
    });

    it('moves into a key file and back, with both named on the way', async () => {
      await tender(['vault', 'create-key-file', join(place.folder, 'keys')]);
      await vault('rotate', '--kek', ...inModule(), ...inFile(), '--wrap-with', 'file');
      expect(await kekIds()).toEqual([expect.stringMatching(/^kek-[0-9a-f]{12}$/)]);
      await serve(inFile(), reference);

      // Wrapped twice in the file: the first of its keys can go, and its digits with it.
      const text = await readFile(join(place.folder, 'keys'), 'utf8');
      const [, first = '', digits = ''] = /^(kek-\w+) (\w+)$/m.exec(text) ?? [];
      await vault('retire', first, ...inFile());
      const left = await readFile(join(place.folder, 'keys'), 'utf8');
      expect(left).not.toContain(digits);
      expect(left).toHaveLength(text.length);
      await serve(inFile(), reference);

      await vault('rotate', '--kek', ...inModule(), ...inFile());
      expect(await kekIds()).toEqual([expect.stringMatching(/^command:[0-9a-f]{8}$/)]);
      await serve(inModule(), reference);
    });

    it('an export is imported with the command alone', async () => {
      const file = join(place.folder, 'export.gz');
      expect(await tender(['export', file, ...place.args])).toMatchObject({ code: 0 });
      const other = await newPlace(own, kind);
      expect(await tender(['import', file, ...other.args, ...inModule()])).toMatchObject({ code: 0, stderr: '' });
      expect(await tender(['verify', ...other.args, ...inModule()])).toMatchObject({ code: 0 });
    });
  });
}
