// Changes of the vault's data key that do not go as they should: a node that cannot learn the new key, a node that
// sleeps through the change, a value that nobody can open. No card number is lost to any of them.

import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { shared } from '../contracts/databases.ts';
import { newPlace, type Place } from '../crash/place.ts';
import { Client, DEMO, kindsOfThisFile, newOrderId, pause, type Reply, until } from '../harness.ts';
import { Belongings, type RunningProcess, startBankProcess, startProcess, tender } from './tender-process.ts';

/** What was sealed is given up after a quarter of it. */
const GRACE_MS = 8_000;
const ASK_AGAIN_MS = 100;

type Node = RunningProcess & { readonly client: Client; readonly args: readonly string[] };

describe.skipIf(!shared.available)('a change of the data key among two processes', () => {
  const own = new Belongings();
  let place: Place;
  let first: Node;
  let second: Node;
  const keyFile = (name: string) => join(place.folder, name);

  beforeAll(async () => {
    place = await newPlace(own, shared);
    const { url } = own.keep(await startBankProcess(['--data', await own.folder()]));
    const start = async (keys: string): Promise<Node> => {
      const where = place.args.map((arg) => (arg === place.folder ? join(place.folder, `data of ${keys}`) : arg));
      const args = [...where, '--key-file', keyFile(keys)];
      const running = own.keep(await startProcess([...args, '--bank-url', url, '--key-grace-ms', String(GRACE_MS)]));
      const client = new Client(() => running.baseUrl, DEMO);
      own.also(async () => client.close());
      return { ...running, client, args };
    };
    first = await start('first');
    await copyFile(keyFile('first'), keyFile('second'));
    second = await start('second');
  });
  afterAll(() => own.drop());

  const rotateAtFirst = async () => {
    expect(await tender(['vault', 'rotate', ...first.args])).toMatchObject({ code: 0 });
    await place.looking(async (query) => {
      const sealing = "select data_key_id from data_keys where purpose = 'seal'";
      await until('one data key is left', async () => (await query(sealing)).length === 1);
    });
    const { stdout } = await tender(['vault', 'status', '--json', ...first.args]);
    expect(JSON.parse(stdout).dataKeys).toHaveLength(1);
  };

  const expectNothingLost = async () => {
    const verified = await tender(['verify', ...first.args]);
    expect(verified.stdout + verified.stderr).not.toContain('never be opened');
    expect(verified.code).toBe(0);
  };

  it('a node that cannot open the new key takes no cards, until it has the key file', async () => {
    expect(await second.client.saleUntilFinal()).toMatchObject({ status: 'approved' });
    await tender(['vault', 'rotate', '--kek', ...first.args]);
    await rotateAtFirst();
    const refused = await second.client.sale();
    expect(refused).toMatchObject({ status: 500, body: { 'error-code': '503' } });
    const ready = await fetch(`${second.origin}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toEqual({ status: 'not ready', reason: "the vault's keys cannot be read" });
    expect(await first.client.saleUntilFinal()).toMatchObject({ status: 'approved' });

    await copyFile(keyFile('first'), keyFile('second'));
    expect(await second.client.saleUntilFinal()).toMatchObject({ status: 'approved' });
    await expectNothingLost();
  });

  it('a node that was asleep for longer than the grace loses nothing it was given', async () => {
    const refusals: Reply[] = [];
    // Whoever is too slow to write down what was sealed, which a busy machine is, wants to be asked again.
    const sellOne = async () => {
      const client_orderid = newOrderId();
      let reply = await second.client.sale({ client_orderid });
      while (reply.status !== 200) {
        refusals.push(reply);
        await pause(ASK_AGAIN_MS);
        reply = await second.client.sale({ client_orderid });
      }
    };
    const sell = (count: number) => Promise.all(Array.from({ length: count }, sellOne));
    const before = sell(20);
    second.process.signal('SIGSTOP');
    await rotateAtFirst();
    const after = sell(20);
    second.process.signal('SIGCONT');
    await Promise.all([before, after]);
    // What it had not read when it fell asleep came too late: 408, and nothing came of it.
    expect(refusals.filter(({ status, body }) => status !== 408 && body['error-code'] !== '503')).toEqual([]);
    await until('everybody is served at the first asking', async () => {
      refusals.length = 0;
      await sell(20);
      return refusals.length === 0;
    });
    await expectNothingLost();
  });
});

for (const kind of kindsOfThisFile()) {
  describe.skipIf(!kind.available)(`a value that nobody can open, on ${kind.name}`, () => {
    const own = new Belongings();
    afterAll(() => own.drop());

    it('is named, and does not keep the others from a new key', async () => {
      const place = await newPlace(own, kind);
      const gateway = own.keep(await startProcess(place.args));
      const client = new Client(() => gateway.baseUrl, DEMO);
      for (let sold = 0; sold < 3; sold++) await client.saleUntilFinal();
      client.close();
      await gateway.process.stop();
      const [card] = await place.looking((query) =>
        query('update cards set data_key_id = 77 where card_id = (select min(card_id) from cards) returning card_id'),
      );

      const rotated = await tender(['vault', 'rotate', '--json', '--key-grace-ms', '1', ...place.args]);
      expect(rotated.code).toBe(0);
      expect(JSON.parse(rotated.stdout)).toMatchObject({ currentDataKeyId: 2, dataKeys: [{ dataKeyId: 2 }] });
      const lines = rotated.stderr.trimEnd().split('\n');
      expect(lines).toHaveLength(1);
      expect(JSON.parse(lines[0] as string)).toMatchObject({
        level: 'error',
        count: 1,
        error: 'Error: Data key 77 is gone',
      });
      expect(lines[0]).toContain(`merchant/1/card/${String(card?.card_id).slice(0, 6)}`);
      const keys = await place.looking((query) => query('select data_key_id from cards order by 1'));
      expect(keys.map((row) => row.data_key_id)).toEqual([2, 2, 77]);
    });
  });
}
