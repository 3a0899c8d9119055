// The administrators' interface over HTTP: where verbs are, what is refused and how, changes that are done once, and
// the command line that uses it from another machine.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { auditStore } from '../../src/storage/audit.ts';
import { describeGateway } from '../harness.ts';
import { askBy, localNote, PersonBrowser } from './person-browser.ts';
import { tender } from './tender-process.ts';

const DAY_MS = 86_400_000;

describeGateway("the administrators' interface", {}, (gateway) => {
  let token: string;
  let other: string;
  let keys = 0;

  const local = async (verb: string, given: object, headers = {}) => {
    const note = await localNote(gateway.dataFolder);
    return askBy(note.url, note.token, verb, given, headers);
  };
  const newToken = async (name: string, role: string) => {
    await local('addPerson', { name, role });
    const until = new Date(gateway.clock.now() + 30 * DAY_MS).toISOString();
    return (await local('addToken', { name, label: 'a program', role, until })).body.answer.token as string;
  };
  const ask = (verb: string, given: object = {}, headers = {}) => askBy(gateway.adminUrl, token, verb, given, headers);
  const send = (path: string, method: string, body?: string) =>
    new PersonBrowser(() => gateway.adminUrl).send(path, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body }),
    });
  const newKey = () => ({ 'idempotency-key': `key-${++keys}` });
  const added = async (headers: object, login = 'demo', by = token) =>
    askBy(gateway.adminUrl, by, 'addKey', { login, kind: 'control' }, { ...headers });
  const countKeys = async () => (await ask('listKeys')).body.answer.length as number;
  const entries = async (action: string) =>
    (await auditStore(gateway.database).list({ before: undefined, limit: 100 })).filter((one) => one.action === action)
      .length;

  beforeAll(async () => {
    token = await newToken('ann', 'administrator');
    other = await newToken('bob', 'administrator');
    await local('addMerchant', { login: 'shop' });
  });

  it('has every verb below /admin/api, and none elsewhere', async () => {
    expect((await ask('listMerchants')).status).toBe(200);
    expect((await send('/listMerchants', 'POST', '{}')).status).toBe(404);
    const document = await new PersonBrowser(() => gateway.adminUrl).send('/admin/api/openapi.json');
    expect(Object.keys(document.body.paths)).toContain('/admin/api/listMerchants');
    expect((await send('/openapi.json', 'GET')).status).toBe(404);
  });

  it('refuses with a status that a program understands', async () => {
    const unknown = await ask('listEverything');
    expect([unknown.status, unknown.body.error]).toEqual([
      ...[404, 'this gateway has no verb "listEverything"; it may be of another version'],
    ]);
    expect((await send('/admin/api/listMerchants', 'GET')).status).toBe(404);
    expect((await send('/admin/api/listMerchants', 'POST', '[]')).status).toBe(400);
    const large = await send('/admin/api/listMerchants', 'POST', JSON.stringify({ text: 'x'.repeat(200_000) }));
    expect([large.status, large.body.error]).toEqual([413, 'at most 128 KiB are taken']);
    const stranger = await askBy(gateway.adminUrl, 'tnd_wrong', 'listEverything');
    expect([stranger.status, stranger.body.error]).toEqual([401, 'the token is wrong']);
  });

  describe('a change with an idempotency-key', () => {
    it('is done once, and answered as the first time', async () => {
      const [headers, told] = [newKey(), await entries('setMerchant')];
      const first = await ask('setMerchant', { login: 'shop', name: 'Once' }, headers);
      const again = await ask('setMerchant', { login: 'shop', name: 'Once' }, headers);
      expect([first.status, again.status, again.body]).toEqual([200, 200, first.body]);
      expect(await entries('setMerchant')).toBe(told + 1);
    });

    // Whoever finds the browser open, or loads a page again, must not get a key that was to be shown once.
    it('whose secret was shown says so, is done once, and keeps the secret nowhere', async () => {
      const [headers, before, told] = [newKey(), await countKeys(), await entries('addKey')];
      const first = await added(headers);
      const again = await added(headers);
      expect(first.body.answer.controlKey).toMatch(/^[0-9A-F-]{36}$/);
      expect([again.status, again.body.error]).toEqual([409, expect.stringContaining('was shown that once')]);
      expect(again.body.error).toContain(`(key ${first.body.answer.keyId}, merchant ${first.body.answer.login})`);
      expect(again.text).not.toContain(first.body.answer.controlKey);
      expect(await countKeys()).toBe(before + 1);
      expect(await entries('addKey')).toBe(told + 1);
      const stored = await gateway.everythingStored();
      expect(stored).not.toContain(first.body.answer.controlKey);
      expect(stored).not.toContain(headers['idempotency-key']);
    });

    it('is done once by many at once', async () => {
      const [headers, before] = [newKey(), await countKeys()];
      const replies = await Promise.all(Array.from({ length: 5 }, () => added(headers)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409, 409]);
      expect(await countKeys()).toBe(before + 1);
    });

    it('is refused when the key was used for something else', async () => {
      const headers = newKey();
      expect((await added(headers)).status).toBe(200);
      const why = 'this idempotency-key was used for another request';
      for (const reply of [
        await added(headers, 'shop'),
        await ask('setMerchant', { login: 'shop', name: 'S' }, headers),
      ]) {
        expect([reply.status, reply.body.error]).toEqual([409, why]);
      }
    });

    it('is its own for each person', async () => {
      const headers = newKey();
      const [first, second] = [await added(headers), await added(headers, 'demo', other)];
      expect(second.status).toBe(200);
      expect(second.body.answer.keyId).not.toBe(first.body.answer.keyId);
    });

    it('that was refused may be tried again', async () => {
      const headers = newKey();
      expect((await added(headers, 'later')).status).toBe(400);
      await local('addMerchant', { login: 'later' });
      expect((await added(headers, 'later')).status).toBe(200);
    });

    it('is done anew after a day', async () => {
      const headers = newKey();
      const first = await added(headers);
      gateway.clock.advance(DAY_MS);
      const second = await added(headers);
      expect([second.status, second.body.answer.keyId === first.body.answer.keyId]).toEqual([200, false]);
    });

    it('is done once where no transaction covers it', async () => {
      const headers = newKey();
      const told = await entries('clearBank');
      const first = await local('clearBank', {}, headers);
      const again = await local('clearBank', {}, headers);
      expect([again.status, again.body]).toEqual([200, first.body]);
      expect(await entries('clearBank')).toBe(told + 1);
      await gateway.query(`update repeatable_changes set sealed = null, data_key_id = null where verb = 'clearBank'`);
      expect((await local('clearBank', {}, headers)).status).toBe(409);
    });

    it('needs a key that can be read', async () => {
      for (const key of ['x'.repeat(65), 'two words']) {
        const reply = await added({ 'idempotency-key': key });
        expect([reply.status, reply.body.error]).toEqual([
          ...[400, 'header idempotency-key: 1 to 64 visible characters of ASCII are needed'],
        ]);
      }
    });
  });

  describe('the command line', () => {
    const at = async (args: readonly string[], text = token) => {
      const file = join(gateway.dataFolder, 'token');
      await writeFile(file, `${text}\n`, { mode: 0o600 });
      return tender(['--at', gateway.adminUrl, '--token-file', file, ...args]);
    };

    it('asks a gateway elsewhere, by a token of a person', async () => {
      const listed = await at(['merchant', 'list', '--json']);
      expect([listed.code, listed.stderr]).toEqual([0, '']);
      expect(JSON.parse(listed.stdout).map(({ login }: { login: string }) => login)).toContain('shop');
      expect((await at(['merchant', 'set', 'shop', '--name', 'From afar'])).code).toBe(0);
      const [entry] = await auditStore(gateway.database).list({ before: undefined, limit: 1 });
      expect(entry).toMatchObject({ action: 'setMerchant', who: expect.stringMatching(/^ann by token tnd_/) });
      const warned = await tender(['--at', gateway.adminUrl, '--token', token, 'verify', '--json']);
      expect(JSON.parse(warned.stdout)).toMatchObject({ violations: [] });
      expect(warned.stderr).toContain('other users of this machine can see --token');
    });

    it.each([
      [['merchant', 'list'], 'tnd_wrong', 4, /: the token is wrong, or it has ended$/],
      [['merchant', 'show', 'nobody'], undefined, 1, /^tender: there is no merchant "nobody"; there are: /],
      [['verify', '--audit-head', '1:ff'], 'tnd_wrong', 4, /the token is wrong/],
      [['export', 'x.tender'], undefined, 2, /^tender: "tender export" needs the gateway's own machine; /],
      [['vault', 'create-key-file', 'x'], undefined, 2, /^tender: "tender vault create-key-file" needs /],
      [['person', 'add', 'eve', '--role', 'viewer'], undefined, 4, /somebody who signed in, not with a token$/],
    ])('says what is wrong: %j', async (args, text, code, line) => {
      const ended = await at(args, text);
      expect([ended.code, ended.stdout, ended.stderr.trim()]).toEqual([code, '', expect.stringMatching(line)]);
    });

    it('sends no token in clear, and says where it cannot go', async () => {
      const plain = await tender(['--at', 'http://admin.example', '--token', 'tnd_1', 'merchant', 'list']);
      expect([plain.code, plain.stderr]).toEqual([2, expect.stringContaining('http://admin.example is not under TLS')]);
      const nobody = await tender(['--at', 'http://127.0.0.1:1', '--token', 'tnd_1', 'merchant', 'list']);
      expect([nobody.code, nobody.stderr]).toEqual([
        ...[3, expect.stringContaining('http://127.0.0.1:1 cannot be reached: ECONNREFUSED')],
      ]);
      const without = await tender(['--at', 'https://admin.example', 'merchant', 'list']);
      expect([without.code, without.stderr]).toEqual([2, expect.stringContaining('your token is missing')]);
    });
  });
});
