// What 3-D Secure relies on from its store, held on both databases: one begins it, one saves each version, one holds
// each claim, and whoever lost its claim saves nothing more.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type {
  AuthenticationRecord,
  AuthenticationStep,
} from '../../src/domain/three-d-secure/authentication-record.ts';
import { authenticationStore } from '../../src/storage/authentications.ts';
import { keyStore } from '../../src/storage/keys/data-keys.ts';
import { proofPlace } from '../../src/vault/places.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const NOW = Date.UTC(2026, 5, 1);
const LATER = NOW + 60_000;

const browser = (transactionId: string): AuthenticationStep => ({
  ...{ name: 'browser', protocol: '2.2.0', transactionId, methodUrl: undefined, isMethodDone: false },
});
const over = (threeDSServerTransID: string): AuthenticationStep => ({
  name: 'over',
  isTold: false,
  outcome: {
    ...{ status: 'Y', protocol: '2.2.0', reason: undefined, isCancelled: false, eci: '05', xid: undefined },
    ...{ ids: { threeDSServerTransID }, browserSaid: undefined, wasChallenged: false },
  },
});

let lastOrderId = 5_000;

function record(more: Partial<AuthenticationRecord> = {}): AuthenticationRecord {
  const key = { merchantId: 1, orderId: ++lastOrderId, seq: 1 };
  return {
    ...key,
    version: 1,
    step: { name: 'looking-up' },
    taken: {},
    until: LATER,
    dueAt: LATER,
    startedAt: NOW,
    ...more,
  };
}

const line = (text: string) => ({ at: NOW, from: 'tender', message: { messageType: text } }) as const;

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the store of authentications, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let store: ReturnType<typeof authenticationStore>;
    const save = (one: AuthenticationRecord, more: object = {}) =>
      store.save({ record: one, isLeased: false, lines: [], at: NOW, ...more });
    const begin = (one: AuthenticationRecord, isLeased = true) =>
      store.begin({ record: one, isLeased, lines: [], at: NOW });
    const version = (one: AuthenticationRecord, to: number, step = one.step) => ({ ...one, version: to, step });

    beforeAll(async () => {
      opened = await kind.openMigrated();
      store = authenticationStore(opened.database);
    });
    afterAll(() => opened.drop());

    it('is begun once, and read as it was written', async () => {
      const one = record({ taken: { rreq: 'digest' }, dueAt: undefined });
      expect(await Promise.all([begin(one), begin(one)])).toEqual(expect.arrayContaining([true, false]));
      expect(await store.find(one)).toEqual(one);
      expect(await store.find({ ...one, seq: 2 })).toBeUndefined();
      expect(await store.find({ ...one, merchantId: 2 })).toBeUndefined();
    });

    it('is kept whatever characters the networks send', async () => {
      const one = record();
      const odd = ['\0', 'a\ud83d', '\udc00b', '\\u0000', '\\\0\0', '😀'];
      const said = odd.map((text) => line(text));
      expect(await store.begin({ record: one, isLeased: true, lines: said, at: NOW })).toBe(true);
      expect((await store.transcript(one)).map(({ message }) => message.messageType)).toEqual([
        ...['\ufffd', 'a\ufffd', '\ufffdb', '\\u0000', '\\\ufffd\ufffd', '😀'],
      ]);
    });

    it('is saved only over the version before', async () => {
      const one = record();
      await begin(one);
      const both = await Promise.all([1, 2].map(() => save(version(one, 2), { lines: [line('AReq')] })));
      expect(both.sort()).toEqual([false, true]);
      expect(await save(version(one, 4))).toBe(false);
      expect(await save(version(one, 3), { lines: [line('ARes')] })).toBe(true);
      expect(await store.transcript(one)).toEqual([line('AReq'), line('ARes')]);
    });

    it('is found by the name the networks know it by, also when it is over', async () => {
      const id = randomUUID();
      const one = record({ step: browser(id) });
      await begin(one);
      expect(await store.findByTransaction(id)).toMatchObject({ orderId: one.orderId });
      await save(version(one, 2, over(id)));
      expect(await store.findByTransaction(id)).toMatchObject({ orderId: one.orderId, step: { name: 'over' } });
      expect(await store.findByTransaction(randomUUID())).toBeUndefined();
      await expect(begin(record({ step: browser(id) }))).resolves.toBe(false);
    });

    it('is claimed by one when it is due, and whoever had it before saves nothing more', async () => {
      const one = record({ dueAt: NOW - 1 });
      await begin(one);
      const claim = { now: NOW, leaseUntil: LATER, limit: 100 };
      const claims = await Promise.all([store.claimDue(claim), store.claimDue(claim)]);
      const mine = claims.flat().filter(({ orderId }) => orderId === one.orderId);
      expect(mine).toMatchObject([{ version: 2, dueAt: LATER }]);
      expect(await save(version(one, 2))).toBe(false);
      expect(await save(version(one, 3))).toBe(true);
    });

    it('lets go of leases, and not of what waits for a payer', async () => {
      const [leased, waiting] = [record(), record()];
      await begin(leased);
      await begin(waiting, false);
      await store.releaseLeases(NOW);
      expect(await store.find(leased)).toMatchObject({ dueAt: NOW });
      expect(await store.find(waiting)).toMatchObject({ dueAt: LATER });
    });

    it('keeps the proof sealed, under the current key', async () => {
      const one = record();
      const id = randomUUID();
      await begin(one);
      await save(version(one, 2, over(id)), { proof: { bytes: Buffer.from('old'), dataKeyId: 1 } });
      await save(version(one, 3, over(id)));
      expect(await store.findOutcome(one)).toMatchObject({
        proof: { bytes: Buffer.from('old') },
        outcome: { eci: '05' },
      });
      const places: string[] = [];
      const again = async (_: unknown, place: string) => {
        places.push(place);
        return { bytes: Buffer.from('new'), dataKeyId: 7 };
      };
      expect(await keyStore(opened.database).walk(7, again)(10)).toBe(1);
      expect(places).toEqual([proofPlace(one)]);
      expect(await store.findOutcome(one)).toMatchObject({ proof: { bytes: Buffer.from('new'), dataKeyId: 7 } });
    });
  });
}
