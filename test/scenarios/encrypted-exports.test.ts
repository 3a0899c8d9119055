// Exports that are of no use to whoever finds them: under a passphrase or for a public key. In production nobody writes
// one in clear without saying so.

import { generateKeyPairSync } from 'node:crypto';
import { copyFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPlace, type Place } from '../crash/place.ts';
import { Client, DEMO, kindsOfThisFile } from '../harness.ts';
import { Belongings, startProcess, tender } from './tender-process.ts';

const EMAIL = 'payer-in-the-backup@example.com';
/** What Node's gzip begins with. */
const GZIP = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`an encrypted export, on ${kind.name}`, () => {
    const own = new Belongings();
    let place: Place;
    const inFolder = (name: string) => join(place.folder, name);
    const given = async (name: string, text: string) => {
      await writeFile(inFolder(name), text);
      return inFolder(name);
    };

    beforeAll(async () => {
      place = await newPlace(own, kind);
      const { process, baseUrl } = own.keep(await startProcess(place.args));
      const client = new Client(() => baseUrl, DEMO);
      await client.saleUntilFinal({ email: EMAIL });
      client.close();
      await process.stop();
    });
    afterAll(() => own.drop());

    const exported = async (name: string, ...args: string[]) => {
      const ended = await tender(['export', inFolder(name), ...args, ...place.args]);
      expect(ended).toMatchObject({ code: 0, stderr: '' });
      return inFolder(name);
    };
    const target = async () => {
      const other = await newPlace(own, kind);
      await copyFile(inFolder('key-encryption-keys'), join(other.folder, 'key-encryption-keys'));
      return other;
    };
    const imported = async (file: string, ...args: string[]) => {
      const other = await target();
      const ended = await tender(['import', file, ...args, ...other.args]);
      return { ...ended, other };
    };
    const refused = async (file: string, ...args: string[]) => {
      const { code, stdout, stderr, other } = await imported(file, ...args);
      expect({ code, stdout, lines: stderr.trimEnd().split('\n').length }, stderr).toEqual({
        code: 1,
        stdout: '',
        lines: 1,
      });
      expect(await readdir(other.folder)).not.toContain('database');
      return stderr.trim();
    };
    const expectSold = async (other: Place) => {
      const rows = await other.looking((query) => query("select details->>'email' as email from orders"));
      expect(rows).toEqual([{ email: EMAIL }]);
    };

    it('under a passphrase is imported with it, and shows nothing without', async () => {
      const words = await given('words', 'correct horse battery staple\n');
      const file = await exported('one.sealed', '--passphrase-file', words);
      const bytes = await readFile(file);
      expect(bytes.includes(GZIP)).toBe(false);
      expect(bytes.includes(EMAIL)).toBe(false);
      const { code, stderr, other } = await imported(file, '--passphrase-file', words);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await expectSold(other);

      const wrong = await given('wrong', 'correct horse battery stable\n');
      expect(await refused(file, '--passphrase-file', wrong)).toMatch(/one\.sealed does not open with this passphrase/);
      expect(await refused(file)).toMatch(/one\.sealed is encrypted: name --passphrase-file or --private-key$/);
    });

    it('that is cut off or damaged is not taken', async () => {
      const words = ['--passphrase-file', await given('words', 'correct horse battery staple\n')];
      const bytes = await readFile(await exported('two.sealed', ...words));
      await writeFile(inFolder('cut.sealed'), bytes.subarray(0, bytes.length - 20));
      expect(await refused(inFolder('cut.sealed'), ...words)).toMatch(/cut\.sealed is damaged or cut off$/);
      const flipped = Buffer.from(bytes);
      flipped[bytes.length - 100] = (flipped[bytes.length - 100] as number) ^ 1;
      await writeFile(inFolder('flipped.sealed'), flipped);
      expect(await refused(inFolder('flipped.sealed'), ...words)).toMatch(/flipped\.sealed is damaged or cut off$/);
    });

    it.each(['x25519', 'rsa'] as const)('for the owner of a key (%s) opens with its private half', async (type) => {
      const pair = () =>
        type === 'rsa' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : generateKeyPairSync('x25519');
      const { publicKey, privateKey } = pair();
      const pub = await given(`${type}.pub`, publicKey.export({ type: 'spki', format: 'pem' }).toString());
      const priv = await given(`${type}.pem`, privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
      const file = await exported(`${type}.sealed`, '--to-public-key', pub);
      const { code, stderr, other } = await imported(file, '--private-key', priv);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      await expectSold(other);
      const stranger = pair().privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
      expect(await refused(file, '--private-key', await given('stranger', stranger))).toMatch(
        /sealed does not open with this private key/,
      );
      expect(await refused(file, '--private-key', pub)).toMatch(/holds no private key in PEM/);
    });

    it('is asked of production, unless it is said that there shall be none', async () => {
      const production = ['--mode', 'production'];
      const open = await tender(['export', inFolder('open.gz'), ...production, ...place.args]);
      expect(open.stderr.trim()).toBe(
        'tender: an export of production is encrypted: name --passphrase-file or --to-public-key, or say --unencrypted',
      );
      const file = await exported('open.gz', ...production, '--unencrypted');
      const words = await given('words', 'correct horse battery staple\n');
      expect(await refused(file, '--passphrase-file', words)).toMatch(/open\.gz is not encrypted: leave out/);
      const short = await given('short', 'password\n');
      const weak = await tender(['export', inFolder('weak'), '--passphrase-file', short, ...place.args]);
      expect(weak.stderr).toMatch(/the passphrase in .*short has less than 12 characters/);
    });
  });
}
