// A thousand callbacks due at once to a hundred shops, ten of whom never answer: the other ninety do not notice.

import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/domain/clock.ts';
import type { Endpoint, Merchant } from '../../src/domain/merchant/merchant.ts';
import { Secret } from '../../src/domain/secret.ts';
import { CallbackClient } from '../../src/notifications/client.ts';
import { Deliveries } from '../../src/notifications/deliveries.ts';
import { callbackStore } from '../../src/storage/orders/callbacks.ts';
import { orderStore } from '../../src/storage/orders/orders.ts';
import { createLog } from '../../src/telemetry/log.ts';
import { APPROVED, calledOrder, changed } from '../contracts/called-orders.ts';
import { DEMO, kindsOfThisFile, until } from '../harness.ts';

const SHOPS = 100;
const HANGING = 10;
const EACH = 10;
/** Long enough that none of the hanging calls ends by itself: whoever waited for one would never be in time. */
const CALL_TIMEOUT_MS = 3_600_000;

const key = { keyId: 'first', validFrom: 0, validUntil: undefined, operations: [], key: new Secret(DEMO.key) };
const merchant = { merchantId: 1, controlKeys: [key] } as unknown as Merchant;
const configuration = { byId: () => merchant, endpoint: () => ({ descriptor: 'SHOP', sandbox: true }) as Endpoint };

const closing: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** One server that is all the shops, each at an address of its own: 127.0.1.1, 127.0.1.2 … */
async function openShops(taken: (shop: number) => boolean): Promise<{ server: Server; port: number }> {
  const server = createServer((request, response) => {
    const shop = Number(request.headers.host?.split(':')[0]?.split('.')[3]);
    if (taken(shop)) response.end('OK');
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  closing.push(() => new Promise((resolve) => server.close(resolve)));
  closing.push(() => server.closeAllConnections());
  return { server, port: (server.address() as AddressInfo).port };
}

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`a thousand callbacks, on ${kind.name}`, () => {
    it('are on time for everybody but those who hang', async () => {
      const { database, drop } = await kind.openMigrated();
      closing.push(drop);
      const [orders, callbacks] = [orderStore(database), callbackStore(database)];
      const answered = new Map<number, number>();
      let hanging = 0;
      const { server, port } = await openShops((shop) => {
        if (shop <= HANGING) {
          hanging += 1;
          return false;
        }
        answered.set(shop, (answered.get(shop) ?? 0) + 1);
        return true;
      });

      const now = systemClock.now();
      const records = Array.from({ length: SHOPS * EACH }, (_, index) => {
        const shop = (index % SHOPS) + 1;
        return calledOrder({ notifyUrl: `http://127.0.1.${shop}:${port}/paid` }, now);
      });
      await orders.commit({ starts: records, changes: [] });
      await orders.commit({ starts: [], changes: records.map(({ order }) => changed(order, APPROVED, now)) });
      expect((await callbacks.backlog(systemClock.now())).due).toBe(SHOPS * EACH);

      const log: string[] = [];
      const outcomes = { delivered: 0, failed: 0 };
      const deliveries = new Deliveries({
        callbacks,
        client: new CallbackClient({ timeouts: { connectMs: 60_000, totalMs: CALL_TIMEOUT_MS, bodyMs: 60_000 } }),
        clock: systemClock,
        configuration,
        instance: randomUUID(),
        leaseMs: 2 * CALL_TIMEOUT_MS,
        log: createLog((line) => log.push(line)),
        orders,
        partialAt: () => [],
        policy: () => ({ loopback: true }),
        random: Math.random,
        tried: (outcome) => {
          outcomes[outcome] += 1;
        },
      });
      const stopping = new AbortController();
      const running = deliveries.due.run(stopping.signal);
      closing.push(async () => {
        stopping.abort();
        await running;
        await deliveries.drained();
      });

      const delivered = (SHOPS - HANGING) * EACH;
      await until('the other ninety have all of theirs', () => outcomes.delivered === delivered);
      expect([...answered.values()]).toEqual(Array.from({ length: SHOPS - HANGING }, () => EACH));
      // None of the hanging calls has ended, and nobody who hangs has more than a new destination's share.
      expect(outcomes.failed).toBe(0);
      expect(hanging).toBeLessThanOrEqual(HANGING * 4);

      // When they fail they are left alone: what waits for them is unharmed.
      const cutting = setInterval(() => server.closeAllConnections(), 50);
      closing.push(() => clearInterval(cutting));
      await until('the hanging ones have failed', () => outcomes.failed >= HANGING * 3);
      stopping.abort();
      await running;
      await deliveries.drained();
      expect(deliveries.due.underWay).toBe(0);
      const any = { orderId: undefined, state: undefined, from: undefined, to: undefined };
      const { found: states } = await callbacks.search({ merchantIds: [1], search: any, limit: 10_000 });
      expect(states.filter(({ state }) => state === 'delivered')).toHaveLength(delivered);
      const waiting = states.filter(({ state }) => state === 'waiting');
      expect(waiting).toHaveLength(HANGING * EACH);
      expect(waiting.every(({ attempts }) => attempts <= 2)).toBe(true);
      expect(log).toEqual([]);
    });
  });
}
