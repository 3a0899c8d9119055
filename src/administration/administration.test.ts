import { describe, expect, it } from 'vitest';
import { DigestKeyRotation } from '../processing/node/digest-key-rotation.ts';
import { KeyRotation } from '../processing/node/key-rotation.ts';
import type { AuditStore } from '../storage/audit.ts';
import type { CardFingerprintStore } from '../storage/cards/card-fingerprints.ts';
import type { Configuration, ConfigurationStore } from '../storage/configuration.ts';
import { type KeyStore, Vault, type WrappedKey } from '../vault/vault.ts';
import { type AdministrationParts, administration, type VerbName } from './administration.ts';
import { ImportStage } from './merchant-import/import-stage.ts';
import type { Given } from './verb/inputs.ts';
import { InvalidInput } from './verb/invalid-input.ts';

const clock = { now: () => Date.UTC(2027, 0, 1), sleep: async () => {} };

/** Keeps what is added; nothing here needs a database. */
function memoryStore(): ConfigurationStore {
  const all = {
    version: '1',
    merchants: [],
    shards: [],
    endpoints: [],
    groups: [],
    keys: [],
    looks: new Map(),
    screening: { limits: [], blocks: [] },
    terminals: [],
    networks: [],
    tampered: [],
    broken: new Set(),
    counters: new Map(),
  } as {
    -readonly [K in keyof Configuration]: Configuration[K] extends readonly (infer T)[] ? T[] : Configuration[K];
  };
  const put = <T>(list: T[], is: (one: T) => boolean, value: T) => {
    list[list.findIndex(is)] = value;
  };
  return {
    version: async () => all.version,
    read: async () => structuredClone(all),
    addMerchant: async (merchant) => void all.merchants.push(merchant),
    setMerchant: async (merchant) => put(all.merchants, (one) => one.login === merchant.login, merchant),
    addEndpoint: async (endpoint) => void all.endpoints.push(endpoint),
    setEndpoint: async (endpoint) => put(all.endpoints, (one) => one.endpointId === endpoint.endpointId, endpoint),
    addGroup: async (group) => void all.groups.push(group),
    addKey: async (key) => void all.keys.push(key),
    addAll: async () => {},
    setKey: async (key) => put(all.keys, (one) => one.keyId === key.keyId, key),
    retireKey: async () => {},
  };
}

/** No verb here gets as far as these. */
const unused = {} as Pick<
  AdministrationParts,
  | 'accounts'
  | 'archives'
  | 'bins'
  | 'callbacks'
  | 'cardNetworks'
  | 'cardReferences'
  | 'deeds'
  | 'counts'
  | 'door'
  | 'filters'
  | 'figures'
  | 'ids'
  | 'instructions'
  | 'networkOffice'
  | 'nodes'
  | 'orders'
  | 'records'
  | 'recurring'
  | 'rules'
  | 'staff'
  | 'terminals'
  | 'timelines'
  | 'unfinished'
  | 'verification'
>;

const noFingerprints = {} as CardFingerprintStore;

/** A vault that keeps its keys unwrapped, in memory. */
function memoryVault(): Promise<Vault> {
  const keys: WrappedKey[] = [];
  const store: Partial<KeyStore> = { list: async () => keys, add: async (key) => keys.push(key) > 0 };
  const wrap = async (wrapped: Buffer) => ({ wrapped, kekId: 'none' });
  const kek = { rotate: async () => 'none', retire: async () => {} };
  return Vault.open(store as KeyStore, { wrap, unwrap: async (wrapped) => wrapped, ...kek });
}

async function office(mode: 'sandbox' | 'production' = 'sandbox') {
  const vault = await memoryVault();
  const stores = {
    ...unused,
    audit: { append: async () => {} } as unknown as AuditStore,
    configuration: memoryStore(),
    looks: { set: async () => {}, logo: async () => undefined },
  };
  const parts: AdministrationParts = {
    ...stores,
    clock,
    imports: new ImportStage(),
    connectors: [],
    inTransaction: (work) => work(stores),
    leaseMs: 45_000,
    dataKeyUse: async () => [],
    mode,
    rotation: new KeyRotation({ clock, vault, graceMs: 0, lost: () => {} }),
    digestRotation: new DigestKeyRotation({ clock, vault, fingerprints: noFingerprints, graceMs: 0, linksLastMs: 0 }),
    vault,
    vocabulary: { operations: ['SALE', 'STATUS'], fields: ['phone', 'city'] },
    changed: async () => {},
  };
  const asked = administration(parts);
  const ask = <V extends VerbName>(verb: V, given: Given) => asked.ask(verb, given, 'ann');
  await ask('addMerchant', { login: 'shop' });
  await ask('addEndpoint', { login: 'shop', currency: 'USD' });
  await ask('addEndpoint', { login: 'shop', currency: 'JPY' });
  await ask('addGroup', { login: 'shop', endpointIds: [101, 102] });
  return ask;
}

describe('what cannot be taken is named together with what could be', async () => {
  const ask = await office();
  const cases: [VerbName, Record<string, unknown>, string][] = [
    ['addMerchant', {}, 'login is missing: a name the merchant signs in with is needed'],
    ['addMerchant', { login: 'shop' }, 'there is a merchant "shop" already'],
    [
      'setEndpoint',
      { endpointId: 101, frameAncestors: ['shop.example'] },
      '"shop.example" is not an origin such as https://shop.example',
    ],
    [
      'setEndpoint',
      { endpointId: 101, frameAncestors: ['javascript:alert(1)'] },
      '"javascript:alert(1)" is not an origin such as https://shop.example',
    ],
    ['setLook', { endpointId: 101, accent: 'red' }, 'accent: a colour such as #2347c5, or none, is needed, not "red"'],
    [
      'setLook',
      { endpointId: 101, accent: '#ffd400' },
      'accent: #ffd400 has a contrast of 1.31 with a light page; at least 4.5 is needed, so choose a darker one',
    ],
    [
      'setLook',
      { endpointId: 101, accentDark: '#333' },
      'accentDark: #333333 has a contrast of 1.30 with a dark page; at least 4.5 is needed, so choose a lighter one',
    ],
    [
      'setLook',
      { endpointId: 101, background: '#777777' },
      'background: #777777 has a contrast of 1.47 with the text on it; at least 4.5 is needed, so choose a lighter one',
    ],
    [
      'setLook',
      { endpointId: 101, logo: Buffer.from('<svg onload="alert(1)"/>').toString('base64') },
      'logo: a PNG, JPEG or WebP picture is needed',
    ],
    [
      'setLook',
      { endpointId: 101, logo: Buffer.alloc(41 * 1024, 1).toString('base64') },
      'logo: at most 40 KiB are taken',
    ],
    [
      'setLook',
      { endpointId: 101, intro: 'Hi', language: 'xx' },
      'language: one of en, de, fr, es, ru, ar is needed, not "xx"',
    ],
    ['approvePayout', { login: 'shop', orderId: 1, reason: 'asked' }, 'no gateway runs here; start it, and do it then'],
    ['returnOrder', { orderId: 1, reason: 'asked' }, 'no gateway runs here; start it, and do it then'],
    ['returnOrder', { orderId: 1 }, 'reason is missing: why it is done is needed'],
    [
      'addMerchant',
      { login: 'a b' },
      'login: "a b" must be a letter and then up to 19 letters, digits, "_", "." or "-"',
    ],
    [
      'addMerchant',
      { login: 'x'.repeat(21) },
      `login: "${'x'.repeat(21)}" must be a letter and then up to 19 letters, digits, "_", "." or "-"`,
    ],
    ['addMerchant', { login: 'b', name: '' }, 'name: 1 to 100 characters on one line are needed'],
    ['addMerchant', { login: 'b', name: 'a\nb' }, 'name: 1 to 100 characters on one line are needed'],
    ['addMerchant', { login: 'b', enabled: 'yes' }, 'enabled: true or false is needed'],
    ['addMerchant', { login: 'b', allowedAddresses: '::1' }, 'allowedAddresses: a list of at most 100 is needed'],
    [
      'addMerchant',
      { login: 'b', allowedAddresses: ['10.0.0.0/8'] },
      '"10.0.0.0/8" is not a network address such as 192.0.2.7 or 2001:db8::7',
    ],
    ['addMerchant', { login: 'b', allowedOperations: ['BUY'] }, 'there is no operation "BUY"; there are SALE, STATUS'],
    ['showMerchant', { login: 'none' }, 'there is no merchant "none"; there are: shop'],
    ['addEndpoint', { login: 'shop' }, 'currency is missing: an ISO 4217 code such as USD is needed'],
    ['addEndpoint', { login: 'shop', currency: 'XXX' }, 'currency: "XXX" is not an ISO 4217 code such as USD'],
    [
      'addEndpoint',
      { login: 'shop', currency: 'EUR', endpointId: 103 },
      '103 is a group already; endpoints and groups share their numbers',
    ],
    [
      'addEndpoint',
      { login: 'shop', currency: 'EUR', endpointId: 0 },
      'endpointId: a whole number above 0 is needed, not "0"',
    ],
    [
      'addEndpoint',
      { login: 'shop', currency: 'EUR', threeDSecure: 'on' },
      'threeDSecure: one of none, optional, required is needed, not "on"',
    ],
    ['setEndpoint', { endpointId: 9 }, 'there is no endpoint 9; "tender endpoint list" shows all'],
    [
      'setEndpoint',
      { endpointId: 101, currency: 'EUR' },
      'an endpoint keeps its currency, USD; add another endpoint for "EUR"',
    ],
    [
      'setEndpoint',
      { endpointId: 101, minimum: '1.005' },
      'minimum: an amount in USD such as 10.00, or none, is needed, not "1.005"',
    ],
    [
      'setEndpoint',
      { endpointId: 102, maximum: '1.5' },
      'maximum: an amount in JPY such as 1000, or none, is needed, not "1.5"',
    ],
    ['setEndpoint', { endpointId: 101, minimum: '2', maximum: '1.99' }, 'minimum: it must not be above the maximum'],
    [
      'setEndpoint',
      { endpointId: 101, acquirerBin: '4512 34' },
      'acquirerBin: at most 11 digits are needed, not "4512 34"',
    ],
    [
      'setEndpoint',
      { endpointId: 101, acquirerBin: '123456789012' },
      'acquirerBin: at most 11 digits are needed, not "123456789012"',
    ],
    [
      'setEndpoint',
      { endpointId: 101, acquirerMerchantId: 'A 7' },
      'acquirerMerchantId: at most 24 characters without spaces are needed, not "A 7"',
    ],
    [
      'setEndpoint',
      { endpointId: 101, acquirerMerchantId: 'AAAAAAAAAAAAAAAAAAAAAAAAA' },
      'acquirerMerchantId: at most 24 characters without spaces are needed, not "AAAAAAAAAAAAAAAAAAAAAAAAA"',
    ],
    ['setEndpoint', { endpointId: 101, category: '581' }, 'category: 4 digits such as 5999 are needed, not "581"'],
    [
      'setEndpoint',
      { endpointId: 101, country: 'XX' },
      'country: a code of two letters such as US is needed, not "XX"',
    ],
    [
      'setEndpoint',
      { endpointId: 101, country: 'DEU' },
      'country: a code of two letters such as US is needed, not "DEU"',
    ],
    [
      'setEndpoint',
      { endpointId: 101, requiredFields: ['amount'] },
      '"amount" is not an optional field such as first_name, phone or zip_code',
    ],
    [
      'setEndpoint',
      { endpointId: 101, descriptor: 'x'.repeat(26) },
      'descriptor: 1 to 25 plain characters are needed; card statements have no room for more',
    ],
    ['addGroup', { login: 'shop' }, 'at least one endpoint is needed; the merchant has 101 USD, 102 JPY'],
    ['addGroup', { login: 'shop', endpointIds: [101, 7] }, 'the merchant has no endpoint "7"; it has 101 USD, 102 JPY'],
    ['addKey', { login: 'shop' }, 'kind is missing: control or rsa is needed'],
    [
      'addKey',
      { login: 'shop', kind: 'control', controlKey: 'short' },
      'the control key must be 16 to 128 printable characters without spaces',
    ],
    [
      'addKey',
      { login: 'shop', kind: 'rsa', publicKey: 'x' },
      'this is not an RSA public key in PEM, "BEGIN PUBLIC KEY" or "BEGIN RSA PUBLIC KEY"',
    ],
    [
      'addKey',
      { login: 'shop', kind: 'control', validUntil: '2026-12-31' },
      'a key must end in the future and after it becomes valid',
    ],
    [
      'retireKey',
      { login: 'shop', keyId: 'x' },
      'merchant "shop" has no key "x"; "tender key list shop" shows its keys',
    ],
  ];
  it.each(cases)('%s %j', async (verb, given, line) => {
    await expect(ask(verb, given)).rejects.toEqual(new InvalidInput(line));
  });
});

describe('an administrator', () => {
  it('is told a new control key once', async () => {
    const ask = await office();
    const { controlKey } = await ask('addKey', { login: 'shop', kind: 'control' });
    expect(controlKey).toMatch(/^[0-9A-F-]{36}$/);
    expect(JSON.stringify(await ask('listKeys', {}))).not.toContain(controlKey);
  });

  it('is told that a key has ended which is retired before it becomes valid', async () => {
    const ask = await office();
    const { keyId } = await ask('addKey', { login: 'shop', kind: 'control', validFrom: '2027-02-01T00:00:00Z' });
    expect((await ask('retireKey', { login: 'shop', keyId })).key.state).toBe('ended');
  });

  it('limits a key to operations, however they are written, and lets it sign all again', async () => {
    const ask = await office();
    const added = await ask('addKey', { login: 'shop', kind: 'control', operations: ['sale', 'Status'] });
    expect(added.operations).toEqual(['SALE', 'STATUS']);
    const key = { login: 'shop', keyId: added.keyId };
    expect((await ask('setKey', { ...key, operations: ['STATUS'] })).operations).toEqual(['STATUS']);
    expect((await ask('listKeys', {})).at(-1)).toMatchObject({ keyId: added.keyId, operations: ['STATUS'] });
    expect((await ask('setKey', { ...key, operations: ['all'] })).operations).toEqual([]);
    await expect(ask('setKey', { ...key, operations: ['REFUND'] })).rejects.toThrow('there is no operation "REFUND"');
  });

  it.each([
    ['production', false, /tender merchant strict new/],
    ['production', true, null],
    ['sandbox', false, null],
  ] as const)('is advised in %s, where strict signing is %s, by %s', async (mode, strictSigning, advice) => {
    const ask = await office(mode);
    const told = advice === null ? null : expect.stringMatching(advice);
    expect((await ask('addMerchant', { login: 'new', strictSigning })).advice).toEqual(told);
    expect((await ask('addEndpoint', { login: 'new', currency: 'usd' })).advice).toEqual(told);
  });

  it('writes addresses as they come from the network', async () => {
    const ask = await office();
    const allowedAddresses = ['2001:DB8:0::1', '::ffff:192.0.2.7', '192.0.2.7'];
    expect(await ask('setMerchant', { login: 'shop', allowedAddresses })).toMatchObject({
      allowedAddresses: ['2001:db8::1', '192.0.2.7'],
    });
  });

  it('cannot put two endpoints of a currency in one group', async () => {
    const ask = await office();
    const { endpointId } = await ask('addEndpoint', { login: 'shop', currency: 'usd' });
    const line = `101 and ${endpointId} both take USD, and the currency must choose the endpoint`;
    await expect(ask('addGroup', { login: 'shop', endpointIds: [101, endpointId] })).rejects.toEqual(
      new InvalidInput(line),
    );
  });

  it('has no sandbox endpoints in production', async () => {
    const ask = await office('production');
    expect(await ask('showEndpoint', { endpointId: 101 })).toMatchObject({ sandbox: false });
    const line = 'sandbox: a gateway in production has no sandbox endpoints';
    await expect(ask('setEndpoint', { endpointId: 101, sandbox: true })).rejects.toEqual(new InvalidInput(line));
  });

  it('begins a change of the data key only when none is under way', async () => {
    const ask = await office();
    expect(await ask('rotateDataKey', {})).toMatchObject({ currentDataKeyId: 2 });
    const line = 'a rotation is under way; "tender vault status" shows how far it is';
    await expect(ask('rotateDataKey', {})).rejects.toEqual(new InvalidInput(line));
  });

  it('keeps the number of keys a request is tried against small', async () => {
    const ask = await office();
    for (let count = 1; count < 10; count++) await ask('addKey', { login: 'shop', kind: 'control' });
    const line = 'a merchant has at most 10 keys of a kind; retire one first';
    await expect(ask('addKey', { login: 'shop', kind: 'control' })).rejects.toEqual(new InvalidInput(line));
  });
});

it('a bank is told to misbehave only in a sandbox', async () => {
  const ask = await office('production');
  await expect(ask('setBankFaults', { faults: {} })).rejects.toThrow('a bank misbehaves on purpose only in a sandbox');
});
