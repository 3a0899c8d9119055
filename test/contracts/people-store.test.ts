// What signing in and administration rely on from the stores of people, held on both databases.

import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADDRESS_RULE, LOCK_MS, NAME_RULE } from '../../src/domain/people/lock-out.ts';
import { scopeOf } from '../../src/domain/people/token-scope.ts';
import { failureStore } from '../../src/storage/people/failures.ts';
import { passkeyStore, type StoredPasskey } from '../../src/storage/people/passkeys.ts';
import { peopleStore, type StoredPerson } from '../../src/storage/people/people.ts';
import { type StoredSession, sessionStore } from '../../src/storage/people/sessions.ts';
import { type StoredToken, tokenStore } from '../../src/storage/people/tokens.ts';
import type { Records } from '../../src/storage/records/records.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';
import { signedRecords } from './signed-records.ts';

const NOW = Date.UTC(2027, 0, 1);
const DAY_MS = 86_400_000;

const person = (name: string): StoredPerson => ({
  name,
  role: 'operator',
  enabled: true,
  createdAt: NOW,
  handle: randomBytes(32),
  password: undefined,
  totp: undefined,
  totpSince: undefined,
  totpStep: 0,
  linkUntil: undefined,
  merchantId: undefined,
});

const session = (name: string): StoredSession => ({
  digest: randomBytes(32),
  person: name,
  way: 'password and code',
  address: '192.0.2.7',
  browser: 'Firefox',
  signedInAt: NOW,
  seenAt: NOW,
});

const token = (name: string): StoredToken => ({
  tokenId: randomBytes(4).toString('hex'),
  digest: randomBytes(32),
  person: name,
  label: 'nightly',
  role: 'viewer',
  verbs: undefined,
  createdAt: NOW,
  endsAt: NOW + DAY_MS,
  usedAt: undefined,
  revokedAt: undefined,
});

const passkey = (name: string, counter: number): StoredPasskey => ({
  credentialId: randomBytes(16).toString('base64url'),
  person: name,
  publicKey: randomBytes(77),
  counter,
  transports: ['internal', 'hybrid'],
  label: 'my phone',
  createdAt: NOW,
  usedAt: undefined,
});

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the stores of people, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let records: Records;
    const people = () => peopleStore(opened.database, records);

    beforeAll(async () => {
      opened = await kind.openMigrated();
      records = await signedRecords(opened.database);
    });
    afterAll(() => opened?.drop());

    it('have nobody at first, so there is no default password', async () => {
      expect(await people().list()).toEqual([]);
    });

    it('give back a person as they were added, once per name', async () => {
      const ann = person('ann');
      await people().add(ann);
      await people().add(person('bob'));
      expect(await people().find('ann')).toEqual(ann);
      expect(await people().look('ann')).toEqual(ann);
      expect((await people().list()).map(({ name }) => name)).toEqual(['ann', 'bob']);
      await expect(people().add(person('ann'))).rejects.toMatchObject({ sqlState: '23505' });
      await expect(people().add(person('Ann'))).rejects.toMatchObject({ sqlState: '23514' });
    });

    it('change the role and the password of one person alone', async () => {
      await people().set({ name: 'ann', role: 'auditor', enabled: false });
      await people().setPassword('ann', 'scrypt$…');
      expect(await people().find('ann')).toMatchObject({ role: 'auditor', enabled: false, password: 'scrypt$…' });
      expect(await people().find('bob')).toMatchObject({ role: 'operator', enabled: true, password: undefined });
      await people().set({ name: 'ann', role: 'operator', enabled: true });
    });

    it('take the code of an app once, also when two bring it at once', async () => {
      const totp = { bytes: Buffer.from('sealed'), dataKeyId: 1 };
      await people().setApp('ann', { totp, totpSince: undefined, totpStep: 0 });
      expect(await people().confirmApp('ann', { since: NOW, step: 7 })).toBe(true);
      expect(await people().confirmApp('ann', { since: NOW, step: 8 })).toBe(false);
      expect(await people().find('ann')).toMatchObject({ totp, totpSince: NOW, totpStep: 7 });
      const both = await Promise.all([people().takeStep('ann', 8), people().takeStep('ann', 8)]);
      expect(both.sort()).toEqual([false, true]);
      expect(await people().takeStep('ann', 7)).toBe(false);
    });

    it('use a one-time code up, within its time', async () => {
      const digest = randomBytes(32);
      await people().setLink('bob', { digest, until: NOW + 1_000 });
      expect(await people().takeLink(digest, NOW + 1_000)).toBeUndefined();
      const both = await Promise.all([people().takeLink(digest, NOW), people().takeLink(digest, NOW)]);
      expect(both.filter((one) => one?.name === 'bob')).toHaveLength(1);
      expect(await people().takeLink(digest, NOW)).toBeUndefined();
      await people().setLink('bob', { digest, until: NOW + 1_000 });
      await people().set({ name: 'bob', role: 'operator', enabled: false });
      expect(await people().takeLink(digest, NOW)).toBeUndefined();
      await people().set({ name: 'bob', role: 'operator', enabled: true });
    });

    it('find a session with the person as they are now, and end those that are asked for', async () => {
      const store = sessionStore(opened.database, records);
      const [one, other, bobs] = [session('ann'), session('ann'), session('bob')];
      for (const each of [one, other, bobs]) await store.add(each);
      await people().set({ name: 'ann', role: 'viewer', enabled: false });
      expect(await store.find(one.digest)).toEqual({
        session: one,
        person: { name: 'ann', role: 'viewer', enabled: false },
      });
      await store.seen(one.digest, NOW + 5);
      expect((await store.find(one.digest))?.session.seenAt).toBe(NOW + 5);
      expect(await store.endAll('ann', one.digest)).toBe(1);
      expect((await store.list('ann')).map(({ digest }) => digest)).toEqual([one.digest]);
      await store.end(one.digest);
      expect(await store.find(one.digest)).toBeUndefined();
      expect(await store.find(bobs.digest)).toBeDefined();
      expect(await store.forget(NOW + 1, 10)).toBe(1);
    });

    it('know a token by its digest, and not after it was revoked', async () => {
      const store = tokenStore(opened.database, records);
      const byRole = token('ann');
      const byVerbs: StoredToken = { ...token('bob'), role: undefined, verbs: ['listOrders'] };
      await store.add(byRole);
      await store.add(byVerbs);
      expect(await store.find(byRole.digest)).toMatchObject({ token: byRole, person: { name: 'ann' } });
      expect(scopeOf((await store.find(byVerbs.digest))?.token as StoredToken)).toEqual({ verbs: ['listOrders'] });
      expect(await store.list('bob')).toEqual([byVerbs]);
      await store.used(byRole.tokenId, NOW + 1);
      expect(await store.revoke(byRole.tokenId, NOW + 2, 'bob')).toBeUndefined();
      expect(await store.revoke(byRole.tokenId, NOW + 2, 'ann')).toMatchObject({ usedAt: NOW + 1, revokedAt: NOW + 2 });
      expect(await store.revoke(byRole.tokenId, NOW + 3)).toBeUndefined();
      await store.revokeAll('bob', NOW + 4);
      expect((await store.list()).map(({ revokedAt }) => revokedAt)).toEqual([NOW + 2, NOW + 4]);
      await expect(store.add({ ...token('ann'), verbs: ['both'] })).rejects.toMatchObject({ sqlState: '23514' });
      await expect(store.add({ ...token('ann'), endsAt: NOW + 400 * DAY_MS })).rejects.toMatchObject({
        sqlState: '23514',
      });
    });

    it('let a passkey go forward only, and a challenge be answered once', async () => {
      const store = passkeyStore(opened.database, records);
      const [counts, doesNot] = [passkey('ann', 5), passkey('ann', 0)];
      await store.add(counts);
      await store.add(doesNot);
      expect(await store.used({ ...counts, counter: 6 }, NOW)).toBe(true);
      expect(await store.used({ ...counts, counter: 6 }, NOW)).toBe(false);
      expect(await store.used({ ...doesNot, counter: 0 }, NOW)).toBe(true);
      expect(await store.find(counts.credentialId)).toEqual({ ...counts, counter: 6, usedAt: NOW });
      expect(await store.remove('bob', counts.credentialId)).toBe(false);
      expect(await store.remove('ann', counts.credentialId)).toBe(true);
      await store.removeAll('ann');
      expect(await store.list('ann')).toEqual([]);
      const digest = randomBytes(32);
      expect(await store.takeChallenge(digest, NOW)).toBe(true);
      expect(await store.takeChallenge(digest, NOW)).toBe(false);
      expect(await store.forgetChallenges(NOW + 1, 10)).toBe(1);
    });

    it('count tries before they are judged, so that many at once are not all the first', async () => {
      const store = failureStore(opened.database);
      const keys = [
        { key: 'name ann', rule: NAME_RULE },
        { key: 'address 192.0.2.7', rule: ADDRESS_RULE },
      ];
      const tries = await Promise.all(Array.from({ length: 20 }, () => store.count(keys, NOW)));
      const heard = tries.filter(({ waitMs }) => waitMs === 0);
      expect(heard.map(({ counts }) => counts[0]).sort()).toEqual([1, 2, 3, 4, 5]);
      expect(await store.find('name ann')).toMatchObject({ count: 5, lastAt: NOW });
      await store.giveBack('address 192.0.2.7');
      expect((await store.find('address 192.0.2.7')).count).toBe(4);
      expect(await store.clear('name ann')).toBe(true);
      expect(await store.clear('name ann')).toBe(false);
      expect((await store.count(keys, NOW)).counts).toEqual([1, 5]);
      expect(await store.forget(NOW + LOCK_MS, 10)).toBe(2);
    });
  });
}
