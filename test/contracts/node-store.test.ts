// What the makers of ids rely on from the store of node numbers, held on both databases: whoever takes a number after
// another makes its ids later than any the other could have made.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/storage/connection/migrate.ts';
import { type NodeStore, nodeStore } from '../../src/storage/nodes.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const NOW = Date.UTC(2026, 5, 1);
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`the store of node numbers, on ${kind.name}`, () => {
    let opened: OpenedDatabase;
    let store: NodeStore;

    beforeAll(async () => {
      opened = await kind.open();
      await migrate(opened.database);
      store = nodeStore(opened.database);
    });
    afterAll(() => opened?.drop());

    it('a number given again goes on after the last lease of whoever had it', async () => {
      const [first, second, third] = [randomUUID(), randomUUID(), randomUUID()];
      await store.register(first, NOW, NOW + MINUTE);
      await store.release(first, NOW - 20 * SECOND);
      // By a clock that is behind.
      const taken = await store.register(second, NOW - 10 * SECOND, NOW + SECOND);
      expect(taken).toEqual({ number: 0, after: NOW + MINUTE });
      await store.renew(second, 0, NOW + 3 * MINUTE);
      await store.release(second, NOW + MINUTE);
      const again = await store.register(third, NOW + MINUTE, NOW + 2 * MINUTE);
      expect(again).toEqual({ number: 0, after: NOW + 3 * MINUTE });
    });

    it('a number that was given to another is not renewed, though its holder has taken one without hearing of it', async () => {
      const [paused, other] = [randomUUID(), randomUUID()];
      const later = NOW + 60 * MINUTE;
      const lost = await store.register(paused, later, later + MINUTE);
      const taken = await store.register(other, later + 2 * MINUTE, later + 3 * MINUTE);
      expect(taken?.number).toBe(lost?.number);
      // Its acknowledgement is lost on the way.
      await store.register(paused, later + 2 * MINUTE, later + 3 * MINUTE);
      expect(await store.renew(paused, lost?.number ?? -1, later + 4 * MINUTE)).toBe(false);
      expect(await store.renew(other, taken?.number ?? -1, later + 4 * MINUTE)).toBe(true);
    });
  });
}
