// The attack: somebody who can write into the database gives themselves power there, with a key, a route, a limit that
// is gone, and hopes that nobody looks. They have neither the vault's keys nor an administrator's token.

import { afterEach, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { CARD, type Client, describeGateway, newOrderId } from '../harness.ts';
import { testKeys } from '../test-keys.ts';

const MACS = 'select table_name, record_key, mac from record_macs';

const WRONG_SIGNATURE = { field: 'oauth_signature', code: '20' };
const REFUSED = { status: 400, body: { errors: [WRONG_SIGNATURE] } };
/** A merchant whose record is not used is nobody, and a sandbox says that the login is unknown. */
const UNKNOWN = { status: 400, body: { errors: [WRONG_SIGNATURE, { field: 'oauth_consumer_key', code: '63' }] } };

describeGateway('who writes into the database by SQL', {}, (gateway) => {
  const ask = <V extends VerbName>(verb: V, given: Given = {}) => {
    const { clock } = gateway;
    const options = { mode: 'sandbox', clock, changed: () => gateway.refresh() } as const;
    return administrationOf(gateway.store, options).administration.ask(verb, given, 'ann');
  };

  /** What `tender verify` says of records. */
  async function found(): Promise<string[]> {
    const { findings, next } = await ask('verifyPart', { from: 'records' });
    expect(next).toMatch(/^audit:/);
    return findings.map(({ kind, place }) => `${kind} ${place}`);
  }

  async function figure(): Promise<number> {
    const text = await (await fetch(`${gateway.adminUrl}/metrics`)).text();
    return Number(/^tender_tampered_records (\d+)$/m.exec(text)?.[1]);
  }

  const readiness = async () => (await fetch(`${gateway.origin}/readyz`)).json();
  const sql = (text: string) => gateway.query(text);

  /** Every test begins with records that are right: what the one before left is accepted. */
  afterEach(async () => {
    await ask('signRecords');
    expect(await found()).toEqual([]);
    expect(await figure()).toBe(0);
  });

  function payout(client: Client, endpoint: number, key: string) {
    const fields = { client_orderid: newOrderId(), amount: '1.00', currency: 'USD', credit_card_number: CARD };
    return client.oauth('/api/v4/payout', fields, { endpoint, key });
  }

  it('signs no payout with an RSA key of their own', async () => {
    const { client, id } = await gateway.newMerchant();
    await client.saleUntilFinal({ amount: '50.00' }, { endpoint: id });
    const { privateKey, publicKey } = testKeys('stranger');
    const insert = `insert into merchant_keys (merchant_id, key_id, kind, public_key, valid_from, created_at)
      values (${id}, 'theirs', 'rsa', '${publicKey}', now() - interval '1 day', now())`;
    await sql(insert);
    await gateway.refresh();
    expect(await payout(client, id, privateKey)).toMatchObject(REFUSED);
    expect(await found()).toEqual([`violation merchant_keys ${id} theirs`]);
    expect(await figure()).toBe(1);
    expect(await readiness()).toMatchObject({ status: 'ready', warning: expect.stringContaining('tender verify') });
    expect(gateway.log.some((line) => line.includes(`merchant_keys ${id} theirs`))).toBe(true);
    // The merchant's own key goes on to work, and so do administrators beside it.
    expect((await payout(client, id, client.privateKey as string)).status).toBe(200);
    await ask('setMerchant', { login: client.login, name: 'Renamed meanwhile' });
    expect(await found()).toEqual([`violation merchant_keys ${id} theirs`]);
    await gateway.restart();
    expect(await payout(client, id, privateKey)).toMatchObject(REFUSED);
    await sql(`delete from merchant_keys where merchant_id = ${id} and key_id = 'theirs'`);
    await gateway.refresh();
  });

  it('makes no key theirs by changing one, nor by moving a MAC to it', async () => {
    const { client, id } = await gateway.newMerchant();
    const other = await gateway.newMerchant();
    const { privateKey, publicKey } = testKeys('stranger');
    const set = (pem: string) =>
      sql(`update merchant_keys set public_key = '${pem}' where merchant_id = ${id} and key_id = 'rsa'`);
    await set(publicKey);
    await gateway.refresh();
    expect(await payout(client, id, privateKey)).toMatchObject(REFUSED);
    expect(await found()).toEqual([`violation merchant_keys ${id} rsa`]);
    // The MAC of a row that is right, and a row copied with its MAC.
    await sql(`update record_macs set mac = (select mac from record_macs where table_name = 'merchant_keys'
      and record_key = '${other.id}' || chr(31) || 'rsa')
      where table_name = 'merchant_keys' and record_key = '${id}' || chr(31) || 'rsa'`);
    await gateway.refresh();
    expect(await payout(client, id, privateKey)).toMatchObject(REFUSED);
    expect(await found()).toContain(`violation merchant_keys ${id} rsa`);
    await set(testKeys('merchants').publicKey);
    await gateway.refresh();
  });

  it('brings no retired key back, not even with the row and the MAC it had', async () => {
    const { client, id } = await gateway.newMerchant();
    await client.saleUntilFinal({ amount: '50.00' }, { endpoint: id });
    const state = async () => ({
      rows: await sql(`select valid_until from merchant_keys where merchant_id = ${id} and key_id = 'rsa'`),
      macs: (await sql(`${MACS} where table_name = 'merchant_keys' and record_key like '${id}%rsa'`)) as {
        mac: Buffer;
      }[],
      sets: (await sql(`select * from record_sets where table_name = 'merchant_keys'`)) as {
        counter: string;
        mac: Buffer;
      }[],
    });
    const before = await state();
    await ask('retireKey', { login: client.login, keyId: 'rsa' });
    expect(await payout(client, id, client.privateKey as string)).toMatchObject(REFUSED);
    await sql(`update merchant_keys set valid_until = null where merchant_id = ${id} and key_id = 'rsa'`);
    await sql(`update record_macs set mac = '\\x${before.macs[0]?.mac.toString('hex')}'::bytea
      where table_name = 'merchant_keys' and record_key like '${id}%rsa'`);
    await gateway.refresh();
    expect(await payout(client, id, client.privateKey as string)).toMatchObject(REFUSED);
    expect(await found()).toEqual(['violation table merchant_keys']);
    // With the whole table's signature from then the database looks as it did; a running node knows better.
    const [set] = before.sets;
    await sql(`update record_sets set counter = ${set?.counter}, mac = '\\x${set?.mac.toString('hex')}'::bytea
      where table_name = 'merchant_keys'`);
    await gateway.refresh();
    expect(await payout(client, id, client.privateKey as string)).toMatchObject(REFUSED);
    expect(await figure()).toBe(1);
    await sql(`update merchant_keys set valid_until = now() where merchant_id = ${id} and key_id = 'rsa'`);
  });

  it('lifts no block by deleting it, with its MAC or without', async () => {
    const { client, id } = await gateway.newMerchant();
    const email = 'blocked@example.com';
    await ask('addBlock', { login: client.login, kind: 'email', value: email });
    const status = async () => (await client.saleUntilFinal({ email }, { endpoint: id })).status;
    expect(await status()).toBe('filtered');
    await sql(`delete from blocks where merchant_id = ${id}`);
    await gateway.refresh();
    expect(await status()).toBe('filtered');
    expect(await found()).toEqual([`violation blocks ${id} email ${email}`]);
    await sql(`delete from record_macs where table_name = 'blocks' and record_key like '${id}%'`);
    await gateway.refresh();
    expect(await status()).toBe('filtered');
    expect(await found()).toEqual(['violation table blocks']);
    // Nobody's change makes it right.
    const again = ask('addBlock', { login: client.login, kind: 'email', value: 'other@example.com' });
    await expect(again).rejects.toThrow('table blocks had rows removed or put back');
    expect(await found()).toEqual(['violation table blocks']);
  });

  it('widens no limit, moves no route and no terminal', async () => {
    const { client, id } = await gateway.newMerchant({ route: undefined });
    await ask('setLimit', { endpointId: id, kind: 'card', window: '1h', count: 1 });
    await ask('addTerminal', { name: 'theirs', connector: 'simulator', set: { url: 'http://bank.example' } }).catch(
      () => {},
    );
    await sql(`update velocity_limits set max_count = 1000 where endpoint_id = ${id}`);
    await sql(`update terminals set settings = '{"url": "http://evil.example"}' where name = 'demo-bank'`);
    await sql(`update endpoints set route = 'to demo-bank' where endpoint_id = ${id}`);
    await gateway.refresh();
    const places = await found();
    expect(places).toEqual(
      expect.arrayContaining([
        `violation velocity_limits ${id} card 3600000`,
        'violation terminals demo-bank',
        `violation endpoints ${id}`,
      ]),
    );
    // What was changed is not used: the endpoint is not there, as if it had never been.
    expect((await client.sale({}, { endpoint: id })).status).not.toBe(200);
    const set = ask('setEndpoint', { endpointId: id, name: 'Mine' });
    await expect(set).rejects.toThrow(String(id));
    await sql(`update velocity_limits set max_count = 1 where endpoint_id = ${id}`);
    await sql(`update terminals set settings = '{}' where name = 'demo-bank'`);
    await sql(`update endpoints set route = null where endpoint_id = ${id}`);
    await gateway.refresh();
    expect(await found()).toEqual([]);
    expect((await client.sale({}, { endpoint: id })).status).toBe(200);
  });

  it('has nothing signed by blanking every MAC, nor by taking the key of records away', async () => {
    const { client, id } = await gateway.newMerchant();
    const { publicKey, privateKey } = testKeys('stranger');
    await sql(`insert into merchant_keys (merchant_id, key_id, kind, public_key, valid_from, created_at)
      values (${id}, 'theirs', 'rsa', '${publicKey}', now() - interval '1 day', now())`);
    await sql('delete from record_macs');
    await sql('delete from record_sets');
    await gateway.restart();
    expect(await payout(client, id, privateKey)).toMatchObject(UNKNOWN);
    expect((await found()).length).toBeGreaterThan(5);
    await sql(`delete from data_keys where purpose = 'records'`);
    await gateway.restart();
    expect(await payout(client, id, privateKey)).toMatchObject(UNKNOWN);
    expect((await found()).length).toBeGreaterThan(5);
    expect(gateway.log.some((line) => line.includes('no record of this database is signed'))).toBe(true);
    await sql(`delete from merchant_keys where key_id = 'theirs'`);
  });

  it.skipIf(gateway.noTriggers)('lets no trigger write within an administrator’s transaction', async () => {
    const { client, id } = await gateway.newMerchant();
    await gateway.database.script(`
      create function smuggle() returns trigger language plpgsql as $$ begin
        insert into merchant_keys (merchant_id, key_id, kind, public_key, valid_from, created_at)
        values (${id}, 'smuggled', 'rsa', 'none', now(), now()) on conflict do nothing;
        return new; end $$;
      create trigger smuggle after update on merchants for each row execute function smuggle()`);
    const set = ask('setMerchant', { login: client.login, name: 'Renamed' });
    await expect(set).rejects.toThrow('trigger smuggle on merchants');
    expect(await found()).toEqual(['violation trigger smuggle on merchants']);
    await gateway.database.script('drop trigger smuggle on merchants; drop function smuggle()');
    expect(await sql(`select 1 from merchant_keys where key_id = 'smuggled'`)).toEqual([]);
  });

  it('is answered with a new key for records, under which all of them are signed', async () => {
    const before = await sql(MACS);
    await ask('rotateRecordKey');
    expect(await found()).toEqual([]);
    const after = (await sql(MACS)) as { mac: Buffer }[];
    expect(after).toHaveLength(before.length);
    expect(after).not.toEqual(before);
    expect(await sql(`select count(*)::int as keys from data_keys where purpose = 'records'`)).toEqual([{ keys: 1 }]);
    expect((await gateway.demo.saleUntilFinal()).status).toBe('approved');
  });
});
