// What the makers of ids rely on from the store of node numbers, held on both databases: whoever takes a number after another
// makes its ids later than any the other could have made.

import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { migrate } from '../../src/storage/migrate.ts';
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
      await store.renew(second, NOW + 3 * MINUTE);
      await store.release(second, NOW + MINUTE);
      const again = await store.register(third, NOW + MINUTE, NOW + 2 * MINUTE);
      expect(again).toEqual({ number: 0, after: NOW + 3 * MINUTE });
    });
  });
}
