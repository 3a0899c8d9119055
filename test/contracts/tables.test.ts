// Every kind of column is read as it was written, on both databases: by parameters, in a batch, and from inside JSON.

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { column } from '../../src/storage/tables/column.ts';
import { Columns, type RowOf } from '../../src/storage/tables/columns.ts';
import { COLUMNS, rowsInJson, statement } from '../../src/storage/tables/statement.ts';
import { table } from '../../src/storage/tables/table.ts';
import { columnValues, unnest } from '../../src/storage/wire/columns.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const things = table('things', ['merchantId', 'thingId'], {
  merchantId: column.id('merchant_id'),
  thingId: column.id('thing_id'),
  amount: column.bigint('amount').optional(),
  amounts: column.bigints('amounts'),
  number: column.int('number').optional(),
  ratio: column.real('ratio').optional(),
  word: column.text<'on' | 'off'>('word').optional(),
  serial: column.uuid('serial').optional(),
  isReal: column.boolean('is_real').optional(),
  bytes: column.bytea('bytes').optional(),
  digits: column.hex('digits').optional(),
  at: column.moment('at').optional(),
  facts: column.jsonb<unknown>('facts').optional(),
  told: column.json<unknown>('told').optional(),
  pair: new Columns({ low: column.int('low'), high: column.int('high') }).optional(),
});

type Thing = RowOf<typeof things.parts>;

const SCHEMA = `create table things (merchant_id bigint, thing_id bigint, amount bigint, amounts bigint[], number int, ratio real,
  word text, serial uuid, is_real boolean, bytes bytea, digits bytea, at timestamptz, facts jsonb, told json, low int, high int,
  primary key (merchant_id, thing_id))`;

const full: Thing = {
  merchantId: 1,
  thingId: 9007199254740991,
  amount: -9223372036854775808n,
  amounts: [1n, 9223372036854775807n],
  number: -5,
  ratio: 0.25,
  word: 'on',
  serial: '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b',
  isReal: false,
  bytes: Buffer.from([0, 255]),
  digits: '00ff',
  at: Date.UTC(2026, 1, 3, 4, 5, 6, 70),
  facts: { text: 'ä "quoted" \\ back', list: [1, null] },
  told: [{ a: 1 }],
  pair: { low: 0, high: 7 },
};

const empty: Thing = {
  merchantId: 1,
  thingId: 2,
  amount: undefined,
  amounts: [],
  number: undefined,
  ratio: undefined,
  word: undefined,
  serial: undefined,
  isReal: undefined,
  bytes: undefined,
  digits: undefined,
  at: undefined,
  facts: undefined,
  told: undefined,
  pair: undefined,
};

const insert = statement('things-insert')`${things.insert()}`;
const batch = things.batchOfRows();
const insertMany = statement('things-insert-many')`
  insert into things (${things.names()}) select ${things.unnested('r.')} from ${unnest('r', batch)}`;
const list = statement('things-list', things)`select ${COLUMNS} from things order by thing_id desc`;
const nested = statement('things-nested', {
  things: rowsInJson(things, 'from things', 'x.thing_id desc'),
  none: rowsInJson(things, 'from things where false', '1'),
})`select ${COLUMNS}`;
const joined = statement('things-joined', {
  thing: things.key.of('a'),
  other: things.of('b').optional(),
  count: column.int('(select count(*) from things)'),
})`
    select ${COLUMNS} from things a
    left join things b on b.thing_id = a.thing_id and b.word = 'on'
    where ${things.key.of('a').equal()}`;
const unlisted = { ...list, name: 'things-unlisted', text: 'select 1' };

for (const kind of databaseKinds) {
  describe.skipIf(!kind.available)(`tables on ${kind.name}`, () => {
    let opened: OpenedDatabase;

    beforeAll(async () => {
      opened = await kind.open();
      await opened.database.script(SCHEMA);
    });
    beforeEach(() => opened.database.script('truncate things'));
    afterAll(() => opened?.drop());

    it('reads what was written by parameters', async () => {
      for (const thing of [full, empty]) await opened.database.query(insert, things.values(thing));
      expect(await opened.database.query(list)).toStrictEqual([full, empty]);
    });

    it('reads what was written in a batch, from JSON too', async () => {
      await opened.database.query(insertMany, columnValues(batch, [empty, full]));
      const [listed, inJson] = await opened.database.flight([
        { statement: list, values: [] },
        { statement: nested, values: [] },
      ]);
      expect(listed).toStrictEqual([full, empty]);
      expect(inJson).toStrictEqual([{ things: [full, empty], none: [] }]);
    });

    it('reads a table that is joined from the left, or nothing in its place', async () => {
      await opened.database.query(insertMany, columnValues(batch, [empty, full]));
      const { merchantId, thingId } = full;
      const read = (thing: Thing) => opened.database.query(joined, things.key.values(thing));
      expect(await read(full)).toStrictEqual([{ thing: { merchantId, thingId }, other: full, count: 2 }]);
      expect(await read(empty)).toMatchObject([{ other: undefined }]);
    });

    it('refuses rows of another width than its list, and goes on', async () => {
      for (let tries = 0; tries < 2; tries++) {
        await expect(opened.database.query(unlisted)).rejects.toThrow('answers 1 columns where it lists 16');
      }
      expect(await opened.database.query(list)).toEqual([]);
    });
  });
}
