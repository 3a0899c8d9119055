// Ids while nodes are killed: three processes on one database take blocks of one counter. No id is given twice, those
// of one life of a node rise, and a life that ends leaves one unused rest of a block behind, no more.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { shared } from '../contracts/databases.ts';
import { Client, DEMO, pause, until } from '../harness.ts';
import { createRecurring } from '../scenarios/stored-cards.ts';
import { Belongings, type RunningProcess, startBankProcess, startProcess } from '../scenarios/tender-process.ts';
import { newPlace, type Query } from './place.ts';
import { FAST } from './promises.ts';
import { newSeed, seeded } from './random.ts';

const NODES = 3;
const KILLS = 5;
const HANDS = 6;
const SALES_PER_LIFE = 60;
const RECURRING_SHARE = 0.15;

/** Writes down who took which block: every life of a node has its own name. */
const WATCH = [
  'create table taken_blocks (life text not null, from_id bigint not null, until_id bigint not null)',
  `create function watch_blocks() returns trigger language plpgsql as $$
    begin
      insert into taken_blocks values (coalesce(current_setting('test.life', true), ''), old.next_id, new.next_id);
      return null;
    end $$`,
  'create trigger watch_blocks after update on id_counter for each row execute function watch_blocks()',
];

const own = new Belongings();
afterAll(() => own.drop());

describe.skipIf(!shared.available || shared.noTriggers)(
  'ids of three nodes on one database that are killed under load',
  () => {
    it('are never given twice, rise within a life, and a kill loses one block at most', async () => {
      const random = seeded(newSeed());
      const { folder, args, looking } = await newPlace(own, shared);
      const bank = own.keep(await startBankProcess(['--data', await own.folder()]));
      const url = new URL(args.at(-1) as string);
      let lives = 0;
      const start = async (): Promise<RunningProcess> => {
        url.searchParams.set('options', `-c test.life=life-${++lives}`);
        const where = ['--data', folder, '--database-url', url.href];
        return own.keep(await startProcess([...where, ...FAST, '--bank-url', bank.url]));
      };
      // The first start makes the tables.
      await (await start()).process.stop();
      await looking(async (query) => {
        for (const statement of WATCH) await query(statement);
      });
      const nodes: RunningProcess[] = [];
      for (let index = 0; index < NODES; index++) nodes.push(await start());
      const clients = nodes.map((_, index) => new Client(() => nodes[index]?.baseUrl ?? '', DEMO));
      const privateKey = await readFile(join(folder, 'demo-private-key.pem'), 'utf8');
      for (const client of clients) client.privateKey = privateKey;

      let isOver = false;
      let answered = 0;
      // Nothing is sent twice, so that every request uses one id at most.
      const sell = async () => {
        while (!isOver) {
          const client = clients[Math.floor(random() * NODES)] as Client;
          const reply = await (random() < RECURRING_SHARE ? createRecurring(client) : client.sale()).catch(
            () => undefined,
          );
          if (reply?.status === 200) answered += 1;
          else await pause(20);
        }
      };
      const hands = Array.from({ length: HANDS }, sell);
      const enough = async () => {
        const wanted = answered + SALES_PER_LIFE;
        await until('enough is sold', () => answered > wanted);
      };
      for (let kill = 0; kill < KILLS; kill++) {
        await enough();
        const index = Math.floor(random() * NODES);
        await nodes[index]?.process.stop('SIGKILL');
        nodes[index] = await start();
      }
      await enough();
      isOver = true;
      await Promise.all(hands);
      for (const node of nodes) await node?.process.stop();
      for (const client of clients) client.close();

      await looking(async (query) => {
        const { used, blocks } = await idsIn(query);
        expect(used.length).toBeGreaterThanOrEqual(answered);
        expect(new Set(used).size).toBe(used.length);
        const rests = [...blocks].map(([life, ranges]) => restOf(life, ranges, new Set(used)));
        expect(rests).toHaveLength(NODES + KILLS);
        for (const { life, skipped, rest, largest } of rests) {
          // Requests that were under way when the kill came.
          expect(skipped, `${life} left ids out`).toBeLessThanOrEqual(HANDS);
          expect(rest, `${life} left more than a block`).toBeLessThanOrEqual(2 * largest);
        }
      });
    });
  },
);

type Range = { readonly from: number; readonly until: number };

/** Ids of orders and recurring payments, by the time they were made, and the blocks that each life took. */
async function idsIn(query: Query): Promise<{ used: number[]; blocks: Map<string, Range[]> }> {
  const rows = await query(
    `select order_id::int as id, created_at from orders
     union all select recurring_payment_id::int, created_at from recurring_payments order by created_at, id`,
  );
  const blocks = new Map<string, Range[]>();
  for (const row of await query('select life, from_id::int as from, until_id::int as until from taken_blocks')) {
    const { life, ...range } = row as Range & { life: string };
    // What a node gave back at its end.
    if (range.until < range.from) continue;
    blocks.set(life, [...(blocks.get(life) ?? []), range]);
  }
  return { used: rows.map(({ id }) => id as number), blocks };
}

/** How many ids a life left out, how many it never came to, and how many it took at once at most. */
function restOf(life: string, ranges: readonly Range[], used: ReadonlySet<number>) {
  const taken = ranges.flatMap(({ from, until }) => Array.from({ length: until - from }, (_, index) => from + index));
  const last = taken.findLastIndex((id) => used.has(id));
  const given = [...used].filter((id) => taken.includes(id));
  expect(given, `${life} gave ids that do not rise`).toEqual(given.toSorted((a, b) => a - b));
  const skipped = taken.slice(0, last + 1).filter((id) => !used.has(id)).length;
  return {
    life,
    skipped,
    rest: taken.length - last - 1,
    largest: Math.max(...ranges.map((one) => one.until - one.from)),
  };
}
