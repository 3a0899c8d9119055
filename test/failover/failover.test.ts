// A primary that dies without a word while merchants sell: what was acknowledged is on the standby, and the gateway
// goes on there without being restarted.

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from '../../scripts/postgres.mjs';
import { openPostgres, openStandby } from '../../src/storage/connection/postgres.ts';
import { readingDatabase } from '../../src/storage/connection/reading-database.ts';
import { outageOf } from '../../src/storage/database.ts';
import { Load } from '../crash/load.ts';
import { booksOf } from '../crash/place.ts';
import { FAST, SLOW_BANK } from '../crash/promises.ts';
import { newSeed, seeded } from '../crash/random.ts';
import { Client, DEMO, until } from '../harness.ts';
import { Belongings, startBankProcess, startProcess } from '../scenarios/tender-process.ts';
import { type PlainPair, startPlainPair } from './plain-pair.ts';
import { reckoned, untilAllFinal } from './reckoning.ts';

const ENOUGH_SALES = 40;

const binaries = findPostgres();

// Where no server is installed there is no pair.
if (binaries !== undefined) {
  describe('a primary and its synchronous standby', () => {
    const own = new Belongings();
    let pair: PlainPair;

    beforeAll(async () => {
      pair = await startPlainPair(own, binaries);
    });
    afterAll(() => own.drop());

    it('a server that only reads is left, as one that is gone', async () => {
      const database = await openPostgres({ url: pair.url, poolSize: 1 });
      own.also(() => database.close());
      const session = { name: 'session', text: 'select pg_backend_pid() as pid' };
      const write = { name: 'write', text: 'create table written (id int)' };
      const [first] = await database.query(session);
      await onlyReads(pair, 'on');
      const refusal = await untilFails(() => database.query(write), /^(?!relation)/);
      expect(outageOf(refusal)).toBe('away');
      expect((await untilFails(() => database.query(session), /^cannot reach/)).message).toMatch(
        /^cannot reach a primary: 127.0.0.1:\d+ \(only reads\), 127.0.0.1:\d+ \(only reads\)$/,
      );
      await onlyReads(pair, 'off');
      await until('it is written to again', () =>
        database.query(session).then(
          () => true,
          () => false,
        ),
      );
      expect(await database.query(session)).not.toEqual([first]);
    });

    it('what may be seconds behind is read at the standby, while it is fresh', async () => {
      const primary = await openPostgres({ url: pair.primary.url });
      const moves: string[] = [];
      const standby = openStandby({ url: pair.standby.url });
      const reading = readingDatabase({ primary, standby, moved: (to) => moves.push(to) });
      const nowhere = openStandby({ url: 'postgres://postgres@127.0.0.1:1/postgres' });
      const alone = readingDatabase({ primary, standby: nowhere });
      own.also(() => primary.close());
      own.also(() => reading.close());
      own.also(() => alone.close());
      const where = { name: 'where', text: 'select pg_is_in_recovery() as "isStandby"' };
      const isStandby = async (one: typeof reading) => (await one.query<{ isStandby: boolean }>(where))[0]?.isStandby;

      await until('the standby is read', async () => (await isStandby(reading)) === true);
      // Whoever changed something finds it at the primary until the standby has it.
      reading.changed();
      expect(await isStandby(reading)).toBe(false);
      await until('the standby is read again', async () => (await isStandby(reading)) === true);
      // A write is refused there, and done by the primary.
      await reading.query({ name: 'write-through', text: 'create table written_through (id int)' });
      await pair.ask(pair.standby, 'select pg_wal_replay_pause()');
      await primary.script('create table behind (id int)');
      // On a busy machine looks come late, and a single answer may come from the primary before reads move there.
      await until('it is too far behind', () => moves.at(-1) === 'primary');
      expect(await isStandby(reading)).toBe(false);
      await pair.ask(pair.standby, 'select pg_wal_replay_resume()');
      await until('it has caught up', () => moves.at(-1) === 'standby');
      await until('the standby is read after it has caught up', async () => (await isStandby(reading)) === true);
      expect(await isStandby(alone)).toBe(false);
    });

    it('nothing acknowledged is lost or doubled when the primary is killed, and sales go on', async () => {
      const bankUrl = own.keep(await startBankProcess(['--data', await own.folder(), ...SLOW_BANK])).url;
      const args = ['--data', await own.folder(), '--database-url', pair.url];
      const reads = ['--database-read-url', pair.standby.url.replace(/postgres$/, 'tender')];
      const gateway = own.keep(await startProcess([...args, ...reads, ...FAST, '--bank-url', bankUrl]));
      const client = new Client(() => gateway.baseUrl, DEMO);
      own.also(async () => client.close());
      // It was open before, on the primary, and has prepared what it asks.
      const database = await openPostgres({ url: pair.url });
      own.also(() => database.close());
      const count = { name: 'count', text: 'select count(*)::int as count from orders where order_id > $1' };
      expect(await database.query(count, [0])).toEqual([{ count: 0 }]);

      const load = new Load([client], seeded(newSeed()));
      const sold = (more: number) => {
        const enough = load.acknowledged.length + more;
        return until('enough is sold', () => load.acknowledged.length >= enough);
      };
      load.start();
      await sold(ENOUGH_SALES);
      pair.primary.kill();
      const before = load.acknowledged.length;
      const isReady = async () => (await fetch(`${gateway.localOrigin}/readyz`)).ok;
      await until('balancers hear that it is not ready', async () => !(await isReady()));
      await pair.ask(pair.standby, 'select pg_promote()');
      await sold(ENOUGH_SALES);
      await load.stop();

      const sellers = [{ client, endpoint: 101, load }];
      await untilAllFinal(sellers);
      const query = (text: string) => pair.ask(pair.standby, text);
      const reckoning = await reckoned({ sellers, books: await booksOf(bankUrl), query, args, bankUrl });
      expect(reckoning).toMatchObject({ lost: [], doubled: [], others: [] });
      expect(before).toBeGreaterThanOrEqual(ENOUGH_SALES);
      expect(gateway.process.isRunning).toBe(true);
      const [row] = await database.query<{ count: number }>(count, [0]);
      expect(row?.count).toBeGreaterThanOrEqual(reckoning.acknowledged);
    });

    it('an old primary that comes back is not written to, whoever answers first', async () => {
      await pair.primary.restart('fast');
      const read = { name: 'timeline', text: 'select pg_walfile_name(pg_current_wal_lsn()) as segment' };
      const database = await openPostgres({ url: pair.url });
      own.also(() => database.close());
      expect(await database.query(read)).toEqual([{ segment: expect.stringMatching(/^00000002/) }]);
      // Alone it is refused: what it has is of before the promotion.
      pair.standby.kill();
      expect((await untilFails(() => database.query(read), /^cannot reach/)).message).toMatch(
        /cannot reach a primary: 127.0.0.1:\d+ \(connection refused\), 127.0.0.1:\d+ \(is a primary of before the last promotion\)/,
      );
    });
  });
}

/** As a manager has it while it is not sure who is the primary. */
async function onlyReads({ primary, ask }: PlainPair, word: 'on' | 'off'): Promise<void> {
  await ask(primary, `alter system set default_transaction_read_only = ${word}`);
  await ask(primary, 'select pg_reload_conf()');
}

/** The first failure that says such a thing. */
async function untilFails(ask: () => Promise<unknown>, says: RegExp): Promise<Error> {
  let failure: Error | undefined;
  await until(`it fails with ${says}`, async () => {
    failure = await ask().then(
      () => undefined,
      (error: Error) => error,
    );
    return failure !== undefined && says.test(failure.message);
  });
  return failure as Error;
}
