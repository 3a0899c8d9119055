// The audit chain: whatever an administrator changes and whenever somebody looks at cards, it is written down with the
// change itself, without secrets, on a running gateway and on a stopped one.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { VerbName } from '../../src/administration/administration.ts';
import { verbs } from '../../src/administration/index.ts';
import type { Given } from '../../src/administration/verb/inputs.ts';
import { administrationOf } from '../../src/compose/index.ts';
import { auditStore } from '../../src/storage/audit.ts';
import { Client, DEMO, describeGateway } from '../harness.ts';
import { recurringPayment, storeCard } from './stored-cards.ts';
import { Belongings, startProcess, tender } from './tender-process.ts';

describeGateway('the audit chain', {}, (gateway) => {
  const office = () => {
    const { clock } = gateway;
    return administrationOf(gateway.store, { mode: 'sandbox', clock, changed: () => gateway.refresh() }).administration;
  };
  const ask = <V extends VerbName>(verb: V, given: Given = {}) => office().ask(verb, given, 'ann@desk by test');
  const chain = () => auditStore(gateway.database).following(0, 1_000);
  const told = async (work: () => Promise<unknown>) => {
    const before = (await chain()).length;
    await work().catch(() => {});
    return (await chain()).slice(before).map(({ action, subject }) => `${action}: ${subject}`);
  };

  it('tells of every change what was done to what, and by whom', async () => {
    expect(await told(() => ask('addMerchant', { login: 'audited', name: 'Audited' }))).toEqual([
      expect.stringMatching(/^addMerchant: key control-/),
    ]);
    expect(await told(() => ask('setMerchant', { login: 'audited', enabled: false }))).toEqual([
      'setMerchant: merchant audited',
    ]);
    expect(await told(() => ask('addBlock', { everywhere: true, kind: 'bin', value: '555555' }))).toHaveLength(1);
    const entries = await chain();
    expect(entries.at(-2)).toMatchObject({
      who: 'ann@desk by test',
      details: expect.stringContaining('"enabled":false'),
    });
  });

  it('tells every setting of an endpoint that was changed, by its own name', async () => {
    const { endpointId } = await ask('addEndpoint', { login: 'audited', currency: 'USD' });
    const changes = { unauthenticated: 'pass', acquirerBin: '999999', acquirerMerchantId: 'SHOP-7', category: '5999' };
    await ask('setEndpoint', { endpointId, ...changes });
    const { details = '' } = (await chain()).at(-1) ?? {};
    expect(JSON.parse(details)).toMatchObject(changes);
    // The acquirer's names for things are not ours.
    expect(JSON.parse(details)).not.toHaveProperty('merchantId');
  });

  it('tells of looks at cards, and not of other looks', async () => {
    await storeCard(gateway.demo);
    expect(await told(() => ask('listCardReferences', { login: 'demo' }))).toEqual([
      'listCardReferences: merchant demo',
    ]);
    const id = await recurringPayment(gateway.demo, { amount: '1.00' });
    expect(await told(() => ask('showRecurring', { recurringPaymentId: Number(id) }))).toEqual([
      `showRecurring: recurring payment ${id}`,
    ]);
    const { body } = await gateway.demo.sale();
    const [order, serialNumber] = [body['paynet-order-id'], body['serial-number']];
    expect(await told(() => ask('showOrder', { orderId: Number(order) }))).toEqual([`showOrder: order ${order}`]);
    await gateway.journalLine(body);
    expect(await told(() => ask('showRequest', { serialNumber }))).toEqual([`showRequest: order ${order}`]);
    expect((await chain()).at(-1)?.details).toContain(serialNumber);
    expect(await told(() => ask('listMerchants'))).toEqual([]);
    expect(await told(() => ask('listAudit'))).toEqual([]);
  });

  it('tells of a new key before it is made', async () => {
    expect(await told(() => ask('rotateDataKey'))).toEqual(['rotateDataKey: gateway']);
    // A second one is refused while the first is under way, and that is told too.
    expect(await told(() => ask('rotateDataKey'))).toEqual(['rotateDataKey: gateway', 'rotateDataKey failed: gateway']);
  });

  it('tells nothing of a change that was refused, and makes no change it cannot tell of', async () => {
    expect(await told(() => ask('setMerchant', { login: 'nobody' }))).toEqual([]);
    await gateway.changeSchema('alter table audit_log rename to audit_log_away');
    await expect(ask('setMerchant', { login: 'audited', name: 'Changed in secret' })).rejects.toThrow();
    await gateway.changeSchema('alter table audit_log_away rename to audit_log');
    expect((await ask('showMerchant', { login: 'audited' })).name).toBe('Audited');
  });

  it('is one chain however many write at once', async () => {
    const before = (await chain()).length;
    const names = Array.from({ length: 12 }, (_, index) => `Name ${index}`);
    await Promise.all(names.map((name) => ask('setMerchant', { login: 'audited', name })));
    const entries = await chain();
    expect(entries).toHaveLength(before + names.length);
    expect(entries.map(({ seq }) => seq)).toEqual(entries.map((_, index) => index + 1));
  });

  it('holds no secret', async () => {
    const key = 'A-CONTROL-KEY-OF-ITS-OWN-123';
    await ask('addKey', { login: 'audited', kind: 'control', controlKey: key });
    await ask('setMerchant', { login: 'audited', name: 'card 4485275742308327' });
    const text = JSON.stringify(await chain());
    expect(text).not.toContain(key);
    expect(text).not.toContain('4485275742308327');
  });
});

it('every verb that is not known to change nothing is told', () => {
  const conductOf = (name: string) => verbs.find((verb) => verb.name === name)?.conduct;
  expect(['listMerchants', 'showVault', 'readSettlement', 'verifyPart'].map(conductOf)).toEqual(Array(4).fill('read'));
  expect(['addMerchant', 'settleStuck'].map(conductOf)).toEqual(Array(2).fill('change'));
  const untold = verbs.filter(({ conduct }) => conduct === 'read').map(({ name }) => name);
  expect(untold.filter((name) => !/^(list|show|read|verify)[A-Z]/.test(name))).toEqual([]);
});

describe('the audit chain by command', () => {
  const own = new Belongings();
  afterAll(() => own.drop());

  it('names the person and the way, with a gateway running and without', async () => {
    const data = join(await own.folder(), 'data');
    const gateway = own.keep(await startProcess(['--data', data]));
    const shop = new Client(() => gateway.baseUrl, DEMO);
    own.also(async () => shop.close());
    const run = (...args: string[]) => tender([...args, '--data', data]);
    await run('merchant', 'add', 'acme');
    const { token } = JSON.parse(await readFile(join(data, 'admin.json'), 'utf8'));
    await gateway.process.stop();
    await run('merchant', 'disable', 'acme');
    const { stdout } = await run('audit', 'list', '--json');
    const { head, entries } = JSON.parse(stdout);
    expect(entries.map(({ action, who }: Record<string, string>) => `${action} ${who}`)).toEqual([
      expect.stringMatching(/^setMerchant local \S+ by command$/),
      // The user was authenticated by the machine; what the command says of itself is only a note.
      expect.stringMatching(/^addMerchant local \S+ \(says: \S+@\S+\)$/),
    ]);
    expect(stdout).not.toContain(token.slice(0, 8));
    expect(head).toBe(`2:${entries[0].hash}`);
    expect((await run('audit', 'list')).stdout).toMatch(
      /^2 .*setMerchant +merchant acme [\s\S]*^Head 2:[0-9a-f]{64}$/m,
    );
  });
});
