// `tender evidence`: the pack is complete, tells no secret, and says by its exit code when something in it is bad.

import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newPlace, type Place } from '../crash/place.ts';
import { Client, DEMO, kindsOfThisFile } from '../harness.ts';
import { Belongings, expectLine, startProcess, tender } from './tender-process.ts';

const PAID = '4539682995824395';
const PLANTED = '4485275742308327';

const FILES = ['audit', 'headers', 'keys', 'people', 'records', 'scan', 'scripts', 'settings', 'verify'];

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`the evidence for an assessor, on ${kind.name}`, () => {
    const own = new Belongings();
    let place: Place;
    let packs: string;
    let emptyLog: string;
    let count = 0;

    beforeAll(async () => {
      place = await newPlace(own, kind);
      packs = await own.folder();
      emptyLog = await own.folder();
    });
    afterAll(() => own.drop());

    /**
     * The files by name, those of JSON read. Other tests write what looks like a card number into the log of their
     * common server, so it is not looked at here.
     */
    async function evidence(...more: string[]) {
      count += 1;
      const folder = join(packs, String(count));
      const ended = await tender(['evidence', folder, '--wal', emptyLog, ...place.args, ...more]);
      const texts = new Map<string, string>();
      for (const name of await readdir(folder)) texts.set(name, await readFile(join(folder, name), 'utf8'));
      return { ...ended, folder, texts, read: (name: string) => JSON.parse(texts.get(`${name}.json`) ?? 'null') };
    }

    it('is complete, is made of what is really served, and holds no secret', async () => {
      const running = await startProcess([
        ...place.args,
        '--port',
        '0',
        '--base-url',
        'https://pay.example.com/paynet',
      ]);
      const base = `${running.localOrigin}/paynet`;
      const client = new Client(() => base, DEMO);
      try {
        await client.saleUntilFinal({ credit_card_number: PAID, cvv2: '7391' });
        const person = await tender(['person', 'add', 'ann', '--role', 'auditor', '--json', ...place.args]);
        const until = `${new Date(Date.now() + 86_400_000).toISOString().slice(0, 19)}Z`;
        const made = ['--label', 'nightly', '--role', 'viewer', '--until', until, '--json'];
        const token = await tender(['token', 'add', 'ann', ...made, ...place.args]);
        const key = await tender(['key', 'add', 'demo', '--json', ...place.args]);
        await tender(['endpoint', 'look', '101', '--accent', '#2347c5', ...place.args]);
        const { code, stderr, stdout, folder, texts, read } = await evidence();
        expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

        for (const name of FILES) {
          expect(stdout).toContain(`${name}.json: `);
          expect(read(name), name).toBeTypeOf('object');
        }
        expect(texts.get('summary.md')).toMatch(/Mode \| sandbox.*nothing in it is bad/s);
        expect((await stat(join(folder, 'people.json'))).mode & 0o077).toBe(0);

        const scripts = read('scripts').files.filter((one: { kind: string }) => one.kind === 'script');
        expect(scripts).toMatchObject([{ isServedAsInPackage: true, reason: expect.any(String) }]);
        const served = Buffer.from(await (await fetch(`${base}${scripts[0].path}`)).arrayBuffer());
        const digest = createHash('sha384').update(served).digest('base64');
        expect(scripts[0]).toMatchObject({ integrity: `sha384-${digest}`, bytes: served.length });
        const colours = { kind: 'stylesheet', endpointId: 101, isServedAsInPackage: true };
        expect(read('scripts').files).toContainEqual(expect.objectContaining(colours));
        const page = await fetch(`${base}/pay/none`);
        expect(read('headers')).toMatchObject({
          servedBy: base,
          headers: { 'content-security-policy': page.headers.get('content-security-policy') },
        });

        expect(read('keys').vault.sealing).toMatchObject([{ isCurrent: true, ageDays: 0, kekId: expect.any(String) }]);
        expect(read('keys').merchants).toContainEqual(
          expect.objectContaining({ login: 'demo', keyId: JSON.parse(key.stdout).keyId, operations: 'all' }),
        );
        expect(read('people')).toMatchObject({
          people: [{ name: 'ann', role: 'auditor', locked: false, factors: { passkeys: 0 }, lastSignInAt: null }],
          tokens: [{ person: 'ann', scope: 'viewer', state: 'valid', endsAt: new Date(until).toISOString() }],
        });
        expect(read('settings')).toMatchObject({ mode: 'sandbox', knownFrom: 'the running gateway' });
        expect(read('settings').installation).toContainEqual({
          name: 'baseUrl',
          value: 'https://pay.example.com/paynet',
        });
        expect(read('audit')).toMatchObject({ ok: true, head: expect.stringMatching(/^\d+:[0-9a-f]{64}$/) });
        expect(read('records')).toEqual({ ok: true, tampered: [] });
        expect(read('scan')).toMatchObject({ ok: true, count: 0 });
        expect(read('verify')).toMatchObject({ ok: true });

        const note = JSON.parse(await readFile(join(place.folder, 'admin.json'), 'utf8'));
        const keyFile = await readFile(join(place.folder, 'key-encryption-keys'), 'utf8');
        const secrets = [
          ...[PAID, DEMO.key, note.token, JSON.parse(person.stdout).code, JSON.parse(token.stdout).token],
          JSON.parse(key.stdout).controlKey,
          ...keyFile.split(/[\s":,]+/).filter((word) => word.length > 30),
        ];
        expect(secrets.filter((one) => typeof one !== 'string' || one.length < 10)).toEqual([]);
        const all = [...texts.values(), stdout].join('\n');
        expect(secrets.filter((one) => all.includes(one))).toEqual([]);
      } finally {
        client.close();
        await running.process.stop();
      }
    });

    it('is not written into a folder that holds something', async () => {
      const folder = join(packs, 'full');
      await mkdir(folder);
      await writeFile(join(folder, 'mine'), '');
      const { code, stderr } = await tender(['evidence', folder, ...place.args]);
      expect(code).toBe(2);
      expectLine(stderr, /is not empty/);
      expect(await readdir(folder)).toEqual(['mine']);
    });

    it('is made of a stopped gateway too, from the package', async () => {
      const { code, read, texts } = await evidence('--no-scan');
      expect(code).toBe(0);
      expect(texts.has('scan.json')).toBe(false);
      expect(read('headers')).toMatchObject({
        servedBy: null,
        headers: { 'Content-Security-Policy': expect.stringContaining("script-src 'self'") },
      });
      expect(read('scripts').files[0]).toMatchObject({ kind: 'script', isServedAsInPackage: null });
      expect(read('settings')).toMatchObject({ knownFrom: 'options of the command' });
    });

    it('ends with 1 when a card number lies in the database, and does not repeat it', async () => {
      await place.looking((query) => query(`create table planted as select '${PLANTED}'::text as said`));
      const { code, read, texts } = await evidence();
      expect(code).toBe(1);
      expect(read('scan')).toMatchObject({ ok: false });
      expect(texts.get('summary.md')).toMatch(/bad: scan\.json/);
      expect([...texts.values()].join()).not.toContain(PLANTED);
      await place.looking((query) => query('drop table planted'));
    });

    it('ends with 1 when a record was written by SQL', async () => {
      await place.looking((query) => query('update endpoints set maximum = 1 where endpoint_id = 101'));
      const { code, read, texts } = await evidence('--no-scan');
      expect(code).toBe(1);
      expect(read('records')).toMatchObject({ ok: false, tampered: [{ place: expect.stringContaining('101') }] });
      expect(texts.get('summary.md')).toMatch(/bad: records\.json, verify\.json/);
    });

    it('ends with 1 when the audit chain is broken', async () => {
      await place.looking((query) => query("update audit_log set who = 'nobody' where seq = 1"));
      const { code, read } = await evidence('--no-scan');
      expect(code).toBe(1);
      expect(read('audit')).toMatchObject({ ok: false, findings: [expect.stringContaining('audit entry 1')] });
    });
  });
}
