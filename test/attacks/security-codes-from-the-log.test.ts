// The attack: somebody has the key file, the vault's keys, the database, every byte of its write-ahead log and, when
// codes are answered and their time is over, all that is left in the memory of the machine; and opens the security
// codes that the log keeps for ever.

import { randomInt, randomUUID } from 'node:crypto';
import { access, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CODE_KEY_SEALS_MS } from '../../src/domain/order/retry-schedule.ts';
import { Secret } from '../../src/domain/secret.ts';
import { handedCodeKeys } from '../../src/storage/keys/handed-code-keys.ts';
import { openCodeKeyFolder } from '../../src/vault/code-key-place.ts';
import { cvvPlace } from '../../src/vault/places.ts';
import { openSealed } from '../../src/vault/seal.ts';
import { SecurityCodes } from '../../src/vault/security-codes.ts';
import { postgres } from '../contracts/databases.ts';
import { booksOf, newPlace } from '../crash/place.ts';
import { FAST } from '../crash/promises.ts';
import {
  Client,
  DEMO,
  DEMO_MERCHANT_ID,
  describeGateway,
  kindsOfThisFile,
  type ReplyBody,
  type TestGateway,
  until,
} from '../harness.ts';
import { Belongings, type RunningProcess, startBankProcess, startProcess } from '../scenarios/tender-process.ts';

const SALES = 60;
const QUARTER_HOUR_MS = 15 * 60_000;

/** A few records lie across the border of two pages of the log, and are not found by looking for their bytes. */
const FOUND_IN_LOG = 50;

let own: Belongings;
beforeEach(() => {
  own = new Belongings();
});
afterEach(() => own.drop());

type Stolen = { readonly orderId: number; readonly code: string; readonly sealed: Buffer };

/** The write-ahead log as it is on the disk. */
async function logBytes(gateway: TestGateway): Promise<Buffer> {
  if (gateway.kind === 'pglite') {
    const folder = join(gateway.dataFolder, 'database', 'cluster', 'pg_wal');
    const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isFile());
    return Buffer.concat(await Promise.all(names.map(({ name }) => readFile(join(folder, name)))));
  }
  // Other tests use the server too: a file that held none of these sales may be gone before it is read.
  const rows = await gateway.query(
    `select pg_read_binary_file('pg_wal/' || name, 0, size, true) as bytes from pg_ls_waldir()`,
  );
  return Buffer.concat(rows.flatMap(({ bytes }) => (bytes === null ? [] : [bytes as Buffer])));
}

/** While this works, a server keeps all that it writes into its log. */
async function keepingLog<T>(gateway: TestGateway, work: () => Promise<T>): Promise<T> {
  if (gateway.kind === 'pglite') return work();
  const slot = `tender_test_${randomUUID().replaceAll('-', '')}`;
  await gateway.query(`select pg_create_physical_replication_slot('${slot}', true)`);
  try {
    return await work();
  } finally {
    await gateway.query(`select pg_drop_replication_slot('${slot}')`);
  }
}

/** Sales whose code waits because the bank loses every request, with the bytes that the database and its log have. */
async function waitingSales(gateway: TestGateway): Promise<Stolen[]> {
  const sold = await Promise.all(
    Array.from({ length: SALES }, async () => {
      // The simulated bank declines such codes with 100, so that the answer tells that they arrived.
      const code = String(randomInt(5_000, 10_000));
      const { body } = await gateway.demo.sale({ cvv2: code });
      return { code, orderId: Number(body['paynet-order-id']) };
    }),
  );
  const rows = await gateway.query(`select order_id, sealed_cvv from transactions where sealed_cvv is not null`);
  const sealed = new Map(rows.map((row) => [Number(row.order_id), row.sealed_cvv as Buffer]));
  return sold.flatMap(({ orderId, code }) => ({ orderId, code, sealed: sealed.get(orderId) ?? Buffer.alloc(0) }));
}

const opens = (key: Buffer, sealed: Buffer, { orderId, code }: Stolen): boolean => {
  try {
    const place = cvvPlace({ merchantId: DEMO_MERCHANT_ID, orderId });
    return openSealed(key, sealed, place).toString() === code;
  } catch {
    return false;
  }
};

/** Every 32 bytes in a row of some bytes: whatever form a key is kept in. */
const keysIn = (bytes: Buffer) =>
  Array.from({ length: Math.max(0, bytes.length - 31) }, (_, at) => bytes.subarray(at, at + 32));

/** With the key file and all keys of the database; the bytes of a code may begin with a name, or not. */
async function openedByVault({ store: { vault, database } }: TestGateway, stolen: readonly Stolen[]) {
  const ids = await database.query({ name: 'stolen-keys', text: `select data_key_id from data_keys` });
  let opened = 0;
  for (const { orderId, code, sealed } of stolen) {
    for (const { data_key_id } of ids) {
      for (const bytes of [sealed, sealed.subarray(16)]) {
        const place = cvvPlace({ merchantId: DEMO_MERCHANT_ID, orderId });
        const found = vault.reveal({ bytes, dataKeyId: Number(data_key_id) }, place);
        if (await found.then((one) => one.reveal() === code).catch(() => false)) opened += 1;
      }
    }
  }
  return opened;
}

/** With all files in the folder of the codes' keys, as they are at this moment. */
async function openedByMemory({ codeKeyFolder }: TestGateway, stolen: readonly Stolen[]) {
  const names = await readdir(codeKeyFolder).catch(() => []);
  // A key that is just being made has another name in the next moment.
  const contents = (name: string) => readFile(join(codeKeyFolder, name)).catch(() => Buffer.alloc(0));
  const files = await Promise.all(names.map(contents));
  const keys = files.flatMap(keysIn);
  return stolen.filter((one) => keys.some((key) => opens(key, one.sealed.subarray(16), one))).length;
}

/** By starting a gateway of one's own on the same database and the same memory. */
async function openedByGateway(gateway: TestGateway, stolen: readonly Stolen[]) {
  const place = await openCodeKeyFolder(gateway.codeKeyFolder);
  const handed = gateway.kind === 'pglite' ? undefined : handedCodeKeys(gateway.database);
  const { clock } = gateway;
  const vouch = (values: readonly string[]) => gateway.store.vault.fingerprint(values);
  const codes = await SecurityCodes.open({ clock, place, instance: randomUUID(), handed, vouch, unmet: () => {} });
  let opened = 0;
  for (const { orderId, sealed } of stolen) {
    const code = await codes.open(sealed, cvvPlace({ merchantId: DEMO_MERCHANT_ID, orderId })).catch(() => undefined);
    if (code instanceof Secret) opened += 1;
  }
  await codes.end({ codesWait: true });
  return opened;
}

/** Until keys that are over now must be destroyed: that is done before a new one is made, twice to be sure. */
async function untilLookedAfter({ clock, codeKeyFolder }: TestGateway): Promise<void> {
  for (const _ of ['perhaps under way', 'begun since']) {
    const before = new Set(await readdir(codeKeyFolder));
    const hasNewKey = async () => (await readdir(codeKeyFolder)).some((name) => !before.has(name));
    clock.advance(CODE_KEY_SEALS_MS);
    await until('a new key is there', hasNewKey);
  }
}

describe.skipIf(!postgres.available)('a stranger who can write into the database', () => {
  it('is handed no key of security codes', async () => {
    const place = await newPlace(own, postgres);
    const args = [...place.args, '--bank-url', await bank()];
    own.keep(await startProcess([...args, '--code-key-folder', join(await own.folder(), 'keys')]));
    const [stranger, second] = [randomUUID(), join(await own.folder(), 'keys')];
    await place.looking((query) =>
      query(`insert into code_key_nodes (instance, public_key, mac, lives_until)
        select '${stranger}', public_key, mac, now() + interval '1 hour' from code_key_nodes`),
    );
    const key = ['--key-file', join(place.folder, 'key-encryption-keys')];
    own.keep(await startProcess([...args, ...key, '--code-key-folder', second]));
    const receivers = () => place.looking((query) => query(`select distinct instance::text from handed_code_keys`));
    await until('the nodes have met', async () => (await receivers()).length >= 2);
    expect((await receivers()).map(({ instance }) => instance)).not.toContain(stranger);
  });
});

describeGateway('security codes from the log', { faults: { loseRequestRate: 1 } }, (gateway) => {
  let stolen: Stolen[];

  it('the log keeps them, sealed', async () => {
    const log = await keepingLog(gateway, async () => {
      stolen = await waitingSales(gateway);
      return logBytes(gateway);
    });
    expect(stolen.filter(({ sealed }) => sealed.length > 0 && log.includes(sealed)).length).toBeGreaterThan(
      FOUND_IN_LOG,
    );
  });

  it('none opens with the key file and data_keys, even while it waits', async () => {
    expect(await openedByVault(gateway, stolen)).toBe(0);
    // What is tried below works, as long as the machine has their keys.
    expect(await openedByMemory(gateway, stolen)).toBe(SALES);
    expect(await openedByGateway(gateway, stolen)).toBe(SALES);
  });

  it('none opens with anything at all once the answers are there and the keys are over', async () => {
    gateway.bank.faults.set({});
    await gateway.untilAllFinal();
    const rows = await gateway.query(`select decline_code, count(*)::int as count from transactions group by 1`);
    expect(rows).toEqual([{ decline_code: '100', count: SALES }]);
    gateway.clock.advance(QUARTER_HOUR_MS);
    await untilLookedAfter(gateway);
    expect(await openedByMemory(gateway, stolen)).toBe(0);
    expect(await openedByGateway(gateway, stolen)).toBe(0);
    expect(await openedByVault(gateway, stolen)).toBe(0);
    const handed = await gateway.query(`select encode(code_key_id, 'hex') as id from handed_code_keys`);
    const used = new Set(stolen.map(({ sealed }) => sealed.toString('hex', 0, 16)));
    expect(handed.filter(({ id }) => used.has(id as string))).toEqual([]);
  });
});

// The simulated bank answers with the code itself, so the answer tells whether the code arrived.
const ARRIVED = { status: 'declined', 'error-code': '116' };
const LOST = { status: 'declined', 'error-code': '194' };

const clientOf = ({ baseUrl }: RunningProcess): Client => {
  const client = new Client(() => baseUrl, DEMO);
  own.also(async () => client.close());
  return client;
};

const bank = async (...args: string[]) => own.keep(await startBankProcess(['--data', await own.folder(), ...args])).url;

/** A sale that is acknowledged, and that no bank has seen. */
async function unsentSale(gateway: RunningProcess): Promise<ReplyBody> {
  const { status, body } = await clientOf(gateway).sale({ cvv2: '116' });
  expect(status).toBe(200);
  return body;
}

const bookedFor = async (url: string, { 'paynet-order-id': id }: ReplyBody) =>
  (await booksOf(url)).filter(({ reference }) => reference.startsWith(`${id}-`));

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`a gateway that is killed before the bank is asked, on ${kind.name}`, () => {
    it('goes on with the code on the same machine', async () => {
      const [lossy, healthy] = [await bank('--lose-request-rate', '1'), await bank()];
      const place = await newPlace(own, kind);
      const args = [...place.args, ...FAST, '--code-key-folder', join(await own.folder(), 'keys')];
      const first = own.keep(await startProcess([...args, '--bank-url', lossy]));
      const order = await unsentSale(first);
      await first.process.stop('SIGKILL');
      const second = own.keep(await startProcess([...args, '--bank-url', healthy]));
      expect(await clientOf(second).untilFinal(order['merchant-order-id'])).toMatchObject(ARRIVED);
    });

    it('ends the order with an outcome of its own when the memory of the machine is lost', async () => {
      const [lossy, healthy] = [await bank('--lose-request-rate', '1'), await bank()];
      const place = await newPlace(own, kind);
      const keys = join(await own.folder(), 'keys');
      const args = [...place.args, ...FAST, '--code-key-folder', keys];
      const first = own.keep(await startProcess([...args, '--bank-url', lossy]));
      const order = await unsentSale(first);
      await first.process.stop('SIGKILL');
      await access(keys);
      await rm(keys, { recursive: true });
      const second = own.keep(await startProcess([...args, '--bank-url', healthy]));
      expect(await clientOf(second).untilFinal(order['merchant-order-id'])).toMatchObject(LOST);
      expect(await bookedFor(healthy, order)).toEqual([]);
    });
  });
}

describe.skipIf(!postgres.available)('two machines on one PostgreSQL', () => {
  it('the other takes an order over, with its code, when one is gone with its memory', async () => {
    const [lossy, healthy] = [await bank('--lose-request-rate', '1'), await bank()];
    const place = await newPlace(own, postgres);
    const memories = [join(await own.folder(), 'keys'), join(await own.folder(), 'keys')] as const;
    const args = [...place.args, ...FAST];
    const a = own.keep(await startProcess([...args, '--bank-url', lossy, '--code-key-folder', memories[0]]));
    const key = ['--key-file', join(place.folder, 'key-encryption-keys')];
    const b = own.keep(await startProcess([...args, ...key, '--bank-url', healthy, '--code-key-folder', memories[1]]));
    await until('both have met', async () => {
      const rows = await place.looking((query) => query(`select distinct instance from handed_code_keys`));
      return rows.length === 2;
    });
    const order = await unsentSale(a);
    await a.process.stop('SIGKILL');
    await rm(memories[0], { recursive: true });
    expect(await clientOf(b).untilFinal(order['merchant-order-id'])).toMatchObject(ARRIVED);
  });
});
