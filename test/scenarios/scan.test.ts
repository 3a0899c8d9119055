// `tender scan`, proved by planting: every encoding in every kind of place is found, and named without its number.

import { randomUUID } from 'node:crypto';
import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENCODINGS } from '../../src/scan/encodings.ts';
import type { ScanFinding } from '../../src/scan/scanner.ts';
import { newPlace, type Place } from '../crash/place.ts';
import { Client, DEMO, kindsOfThisFile } from '../harness.ts';
import { Belongings, startProcess, tender } from './tender-process.ts';

/** Of this file alone: other tests write on the same server, whose log is searched. */
const PLANTED = '4916273850149269';
const PAID = '4539618274059311';
const CODE = '7391';
const NAMES = ENCODINGS.map(({ name }) => name).sort();

const planted = ENCODINGS.flatMap(({ name, spell }) => spell(PLANTED).map((bytes) => ({ name, bytes })));
const everything = Buffer.concat(planted.flatMap(({ bytes }) => [Buffer.from(' then \n'), bytes]));
/** As texts that a text column takes. */
const texts = planted.map(({ bytes }) => bytes.toString('utf8')).filter((text) => /^[^\0\ufffd]+$/.test(text));

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`a scan, on ${kind.name}`, () => {
    const own = new Belongings();
    let place: Place;
    let wanted: string;

    beforeAll(async () => {
      place = await newPlace(own, kind);
      wanted = join(await own.folder(), 'wanted.txt');
      await writeFile(wanted, `# what was used\n${PLANTED}\n${PAID.replace(/(....)/g, '$1 ')}\n${CODE}\n`);
    });
    afterAll(() => own.drop());

    const scan = async (...more: string[]) => {
      const { code, stdout, stderr } = await tender(['scan', '--json', '--for', wanted, ...place.args, ...more]);
      // On a slow machine it tells how far it is.
      expect(stderr.replace(/^tender: Scanning[^\n]*\n/gm, '')).toBe('');
      expect(stdout).not.toContain(PLANTED);
      return { code, ...(JSON.parse(stdout) as { looked: string[]; left: string[]; findings: ScanFinding[] }) };
    };
    const encodingsIn = (findings: readonly ScanFinding[], where: RegExp) =>
      [...new Set(findings.filter((one) => where.test(one.place)).map(({ encoding }) => encoding))].sort();

    it('finds nothing after a payment, in the database, its log, the folder and an export', async () => {
      const running = await startProcess([...place.args, '--port', '0']);
      const client = new Client(() => running.baseUrl, DEMO);
      try {
        const fields = { credit_card_number: PAID, cvv2: CODE, order_desc: `by ${PAID}`, email: `${PAID}@x.example` };
        expect(await client.saleUntilFinal(fields)).toMatchObject({ email: fields.email });
        const file = join(await own.folder(), 'export.gz');
        await tender(['export', file, ...place.args]);
        const scanned = await scan(file);
        expect(scanned).toMatchObject({ code: 0, ok: true, left: [], findings: [] });
        expect(scanned.looked.join()).toMatch(/tables of the database.*export\.gz/);
        const { looked } = await scan('--heap');
        expect(looked.at(-1)).toBe('the memory of the gateway');
        expect((await readdir(place.folder)).filter((name) => name.startsWith('heap-'))).toEqual([]);
      } finally {
        client.close();
        await running.process.stop();
      }
    });

    /** A server throws away the log that it needs no more, which other tests on it make long. */
    async function keepLog(): Promise<void> {
      if (kind.kind !== 'postgres') return;
      const slot = `scan_${randomUUID().replaceAll('-', '')}`;
      await place.looking((query) => query(`select pg_create_physical_replication_slot('${slot}', true)`));
      own.also(() => place.looking((query) => query(`select pg_drop_replication_slot('${slot}')`)));
    }

    it('finds each of fifteen encodings in tables, their log, the data folder, logs, exports and compressed streams', async () => {
      await keepLog();
      await place.looking(async (query) => {
        await query('create table planted (said text, bytes bytea)');
        await query(`insert into planted (said) values ${texts.map((text) => `('${text}')`).join()}`);
        const bytes = planted.map((one) => `('\\x${one.bytes.toString('hex')}'::bytea)`);
        await query(`insert into planted (bytes) values ${bytes.join()}`);
      });
      const logs = await own.folder();
      await mkdir(join(place.folder, 'below'));
      await writeFile(join(place.folder, 'below', 'file'), everything);
      await writeFile(join(logs, 'gateway.log'), `{"message":"x"}\n${everything.toString('latin1')}`, 'latin1');
      await writeFile(join(logs, 'old.log.gz'), gzipSync(everything));
      await writeFile(join(logs, 'code.log'), `POST cvv2=${CODE}&x=1`);
      const file = join(logs, 'export.gz');
      await tender(['export', file, ...place.args]);

      const { code, findings } = await scan(logs);
      expect(code).toBe(1);
      expect(encodingsIn(findings, /^table planted$/)).toEqual(NAMES);
      expect(encodingsIn(findings, /pg_wal/)).toEqual(expect.arrayContaining(NAMES));
      expect(encodingsIn(findings, /below\/file$/)).toEqual(NAMES);
      expect(encodingsIn(findings, /gateway\.log$/)).toEqual(NAMES);
      expect(encodingsIn(findings, /old\.log\.gz, decompressed$/)).toEqual(NAMES);
      expect(encodingsIn(findings, /old\.log\.gz$/)).toEqual(NAMES.map((name) => `${name} in gzip`));
      expect(encodingsIn(findings, /export\.gz, decompressed$/)).toEqual(
        expect.arrayContaining(['plain', 'dashes', 'hex']),
      );
      expect(findings.filter((one) => /code\.log$/.test(one.place))).toMatchObject([{ shown: 'a security code' }]);
      expect(findings.filter(({ shown }) => shown !== '491627******9269' && shown !== 'a security code')).toEqual([]);
    });

    it('is told in words, and takes what to look for from standard input', async () => {
      const { code, stdout } = await tender(['scan', '--only', join(place.folder, 'below'), '--for', '-'], {
        input: PLANTED,
      });
      expect(code).toBe(1);
      expect(stdout).toMatch(/below\/file: 491627\*{6}9269, plain, 1 time\n/);
      expect(stdout).not.toContain(PLANTED);
    });

    it('without numbers tells what looks like one, and refuses lines that are none without repeating them', async () => {
      const found = await tender(['scan', '--only', join(place.folder, 'below')]);
      expect(found).toMatchObject({ code: 1, stdout: expect.stringContaining('491627******9269, plain') });
      const refused = await tender(['scan', '--only', place.folder, '--for', '-'], { input: '4916273850149268\n' });
      expect(refused).toMatchObject({ code: 2, stdout: '' });
      expect(refused.stderr).toContain('neither card number nor security code');
      expect(refused.stderr).not.toContain('4916273850149268');
    });
  });
}
