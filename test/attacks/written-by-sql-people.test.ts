// The attack: somebody who can write into the database makes themselves an administrator there, with a row of people,
// a session, a token, a password or a one-time code of their own. They have neither the vault's keys nor an account.

import { createHash, randomBytes } from 'node:crypto';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { describeGateway } from '../harness.ts';
import { askBy, hire, localNote, PASSWORD, PersonBrowser } from '../scenarios/person-browser.ts';

const DAY_MS = 86_400_000;

describeGateway('who writes people into the database by SQL', {}, (gateway) => {
  let count = 0;
  const sql = (text: string) => gateway.query(text);
  const local = async (verb: string, given: object = {}) => {
    const { url, token } = await localNote(gateway.dataFolder);
    return askBy(url, token, verb, given);
  };
  const found = async (): Promise<string[]> => {
    const { body } = await local('verifyPart', { from: 'records' });
    return body.answer.findings.map(({ kind, place }: { kind: string; place: string }) => `${kind} ${place}`);
  };
  const newPerson = async (role = 'viewer') => {
    const name = `person-${++count}`;
    await hire(gateway, name, role);
    return name;
  };
  const signedIn = async (role?: string) => {
    const name = await newPerson(role);
    const browser = new PersonBrowser(() => gateway.adminUrl);
    expect((await browser.signIn(name, PASSWORD)).headers.location).toBe('/console');
    return { name, browser };
  };
  const newToken = async (name: string, scope: { role: string } | { verbs: string[] }) => {
    const until = new Date(gateway.clock.now() + DAY_MS).toISOString();
    const { body } = await local('addToken', { name, label: 'mine', ...scope, until });
    return body.answer as { token: string; tokenId: string };
  };
  const asks = async (token: string, verb = 'listMerchants') => (await askBy(gateway.adminUrl, token, verb)).status;
  const digestOf = (secret: string) => createHash('sha256').update(secret).digest('hex');

  beforeEach(() => sql('delete from sign_in_failures'));

  /** Every test begins with records that are right: what the one before left is accepted. */
  afterEach(async () => {
    expect((await local('signRecords')).status).toBe(200);
    expect(await found()).toEqual([]);
  });

  it('gives a viewer no other role, neither in a session nor with a token', async () => {
    const { name, browser } = await signedIn();
    const { token } = await newToken(name, { role: 'administrator' });
    expect([(await browser.verb('listAudit')).status, await asks(token, 'listAudit')]).toEqual([403, 403]);
    await sql(`update people set role = 'administrator' where name = '${name}'`);
    expect([(await browser.verb('listAudit')).status, await asks(token, 'listAudit')]).toEqual([401, 401]);
    expect(await found()).toEqual([`violation people ${name}`]);
    expect((await new PersonBrowser(() => gateway.adminUrl).signIn(name, PASSWORD)).status).toBe(403);
    // Nobody's change makes it right.
    expect((await local('setPerson', { name, enabled: true })).status).toBe(200);
    const changed = await local('setPerson', { name, role: 'operator' });
    expect([changed.status, changed.body.error]).toEqual([400, expect.stringContaining(`people ${name}`)]);
    await sql(`update people set role = 'viewer' where name = '${name}'`);
    expect((await browser.verb('listMerchants')).status).toBe(200);
  });

  it('lets nobody in who was disabled, nor by a whole table put back as it was', async () => {
    const { name, browser } = await signedIn();
    const { token } = await newToken(name, { role: 'viewer' });
    const [mac] = (await sql(`select mac from record_macs where table_name = 'people' and record_key = '${name}'`)) as {
      mac: Buffer;
    }[];
    const [set] = (await sql(`select counter, mac from record_sets where table_name = 'people'`)) as {
      counter: string;
      mac: Buffer;
    }[];
    await local('setPerson', { name, enabled: false });
    expect([(await browser.verb('listMerchants')).status, await asks(token)]).toEqual([401, 401]);
    await sql(`update people set enabled = true where name = '${name}'`);
    expect(await asks(token)).toBe(401);
    await sql(`update record_macs set mac = '\\x${mac?.mac.toString('hex')}'
      where table_name = 'people' and record_key = '${name}'`);
    expect(await asks(token)).toBe(500);
    expect(await found()).toEqual(['violation table people']);
    await sql(`update record_sets set counter = ${set?.counter}, mac = '\\x${set?.mac.toString('hex')}'
      where table_name = 'people'`);
    expect(await asks(token)).toBe(500);
    expect(gateway.log.some((line) => line.includes('table people is in an older state'))).toBe(true);
  });

  it('makes no person, with a password that they know', async () => {
    const name = await newPerson();
    await sql(`insert into people (name, role, created_at, handle, password)
      select 'mallory', 'administrator', now(), decode('${randomBytes(32).toString('hex')}', 'hex'), password
      from people where name = '${name}'`);
    const browser = new PersonBrowser(() => gateway.adminUrl);
    expect((await browser.signIn('mallory', PASSWORD)).status).toBe(403);
    expect(await found()).toEqual(['violation people mallory']);
    // Others go on to work.
    expect((await browser.signIn(name, PASSWORD)).status).toBe(303);
    await sql(`delete from people where name = 'mallory'`);
  });

  it('gives an administrator no password and no one-time code that they know', async () => {
    const [ann, bob] = [await newPerson('administrator'), await newPerson()];
    const browser = new PersonBrowser(() => gateway.adminUrl);
    const before = (await sql(`select password from people where name = '${ann}'`)) as { password: string }[];
    await sql(`update people set password = (select password from people where name = '${bob}') where name = '${ann}'`);
    expect((await browser.signIn(ann, PASSWORD)).status).toBe(403);
    await sql(`update people set password = '${before[0]?.password}' where name = '${ann}'`);
    const code = '0123456789'.repeat(4).match(/.{5}/g)?.join('-') as string;
    await sql(`update people set link_digest = '\\x${digestOf(code)}', link_until = now() + interval '9999 days'
      where name = '${ann}'`);
    expect((await browser.form('/first-sign-in', { code })).status).not.toBe(303);
    expect(browser.cookie).toBeUndefined();
    await sql(`update people set link_digest = null, link_until = null where name = '${ann}'`);
    expect((await browser.signIn(ann, PASSWORD)).status).toBe(303);
  });

  it('uses no one-time code of their own in the place of one that was given, nor one whose day is over', async () => {
    const name = `person-${++count}`;
    const { body } = await local('addPerson', { name, role: 'administrator' });
    const { code } = body.answer as { code: string };
    const own = code.replaceAll(/\d/g, '7');
    const opensWith = async (given: string) => {
      const browser = new PersonBrowser(() => gateway.adminUrl);
      await browser.form('/first-sign-in', { code: given });
      return browser.cookie !== undefined;
    };
    await sql(`update people set link_digest = '\\x${digestOf(own)}' where name = '${name}'`);
    expect(await opensWith(own)).toBe(false);
    await sql(`update people set link_digest = '\\x${digestOf(code)}' where name = '${name}'`);
    gateway.clock.advance(DAY_MS);
    await sql(`update people set link_until = link_until + interval '2 days' where name = '${name}'`);
    expect(await opensWith(code)).toBe(false);
  });

  it('makes no session, and nobody else of the one they have', async () => {
    const { name, browser } = await signedIn();
    const ann = await newPerson('administrator');
    for (const [change, back] of [
      [`person = '${ann}'`, `person = '${name}'`],
      [`way = 'passkey'`, `way = 'password'`],
      [`signed_in_at = signed_in_at + interval '1 hour'`, `signed_in_at = signed_in_at - interval '1 hour'`],
    ]) {
      await sql(`update person_sessions set ${change} where person = '${name}'`);
      expect((await browser.verb('listMerchants')).status, change).toBe(401);
      await sql(`update person_sessions set ${back} where person in ('${name}', '${ann}')`);
      expect((await browser.verb('listMerchants')).status, back).toBe(200);
    }
    const now = new Date(gateway.clock.now()).toISOString();
    for (const cookie of ['of-my-own', `${'a'.repeat(43)}.${'b'.repeat(43)}`]) {
      await sql(`insert into person_sessions values ('\\x${digestOf(cookie)}', '${ann}', 'passkey', '192.0.2.1', 'x',
        '${now}', '${now}')`);
      browser.cookie = `tender-person=${cookie}`;
      expect((await browser.verb('listMerchants')).status).toBe(401);
    }
  });

  it('makes no token, widens none and takes none over', async () => {
    const [ann, bob] = [await newPerson('administrator'), await newPerson()];
    const { token, tokenId } = await newToken(bob, { role: 'viewer' });
    expect(await asks(token)).toBe(200);
    const own = 'tnd_00000000_mine';
    await sql(`insert into person_tokens (token_id, digest, person, label, role, created_at, ends_at)
      select 'tnd_00000000', '\\x${digestOf(own)}', '${ann}', 'x', 'administrator', created_at, ends_at
      from person_tokens where token_id = '${tokenId}'`);
    expect(await asks(own)).toBe(401);
    expect(await found()).toEqual(['violation person_tokens tnd_00000000']);
    await sql(`delete from person_tokens where token_id = 'tnd_00000000'`);
    for (const [change, back] of [
      [`person = '${ann}'`, `person = '${bob}'`],
      [`role = 'administrator'`, `role = 'viewer'`],
      [`ends_at = ends_at + interval '1 day'`, `ends_at = ends_at - interval '1 day'`],
      [`digest = '\\x${digestOf(own)}'`, `digest = '\\x${digestOf(token)}'`],
    ]) {
      await sql(`update person_tokens set ${change} where token_id = '${tokenId}'`);
      expect([await asks(token), await asks(own)], change).toEqual([401, 401]);
      await sql(`update person_tokens set ${back} where token_id = '${tokenId}'`);
      expect(await asks(token), back).toBe(200);
    }
    const narrow = await newToken(bob, { verbs: ['listOrders'] });
    expect(await asks(narrow.token)).toBe(403);
    await sql(`update person_tokens set verbs = '{listMerchants}' where token_id = '${narrow.tokenId}'`);
    expect(await asks(narrow.token)).toBe(401);
    await local('revokeToken', { tokenId });
    await sql(`update person_tokens set revoked_at = null where token_id = '${tokenId}'`);
    expect(await asks(token)).toBe(401);
  });

  it('makes no password enough by removing or changing a passkey', async () => {
    const name = await newPerson();
    const browser = () => new PersonBrowser(() => gateway.adminUrl);
    await sql(`insert into passkeys (credential_id, person, public_key, counter, label, created_at)
      values ('theirs', '${name}', '\\x00', 0, 'x', now())`);
    await local('signRecords');
    expect((await browser().signIn(name, PASSWORD)).status).toBe(403);
    await sql(`update passkeys set label = 'changed' where person = '${name}'`);
    expect((await browser().signIn(name, PASSWORD)).status).toBe(403);
    expect(await found()).toEqual(['violation passkeys theirs']);
    await sql(`delete from passkeys where person = '${name}'`);
    expect((await browser().signIn(name, PASSWORD)).status).toBe(500);
  });

  it('has nobody signed by removing all that was there, and the key of records', async () => {
    const { token } = await newToken(await newPerson(), { role: 'viewer' });
    const own = 'tnd_00000000_mine';
    await sql(`update people set role = 'administrator'`);
    await sql(`update person_tokens set digest = '\\x${digestOf(own)}', role = 'administrator'
      where digest = '\\x${digestOf(token)}'`);
    await sql('delete from record_macs');
    await sql('delete from record_sets');
    await sql(`delete from data_keys where purpose = 'records'`);
    const aside = ['merchant_keys', 'merchants'];
    for (const table of aside) {
      await sql(`create table kept_${table} as select * from ${table}`);
      await gateway.database.script(`set session_replication_role = replica; delete from ${table};
        set session_replication_role = default`);
    }
    await gateway.restart();
    expect(await asks(own)).not.toBe(200);
    for (const table of aside.reverse()) {
      await gateway.database.script(`insert into ${table} select * from kept_${table}; drop table kept_${table}`);
    }
    await gateway.refresh();
  });
});
