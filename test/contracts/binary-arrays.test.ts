import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENCODERS } from '../../src/storage/wire/binary-arrays.ts';
import { databaseKinds, type OpenedDatabase } from './databases.ts';

const { boolean: booleans, int: integers, bigint: bigints, real: reals, text: texts } = ENCODERS;
const { json: jsons, jsonb: binaryJsons, uuid: uuids, bytea: bytes, timestamptz: moments } = ENCODERS;

const uuid = '3d671629-a410-4a5d-9288-b38ceadd41f2';
const long = 'ä€😀'.repeat(100_000);

const itself = <T>(value: T) => value;

const table: [type: string, column: Buffer | null, written: (string | null)[]][] = [
  ['boolean', booleans([true, undefined, false], itself), ['true', null, 'false']],
  ['int', integers([-1, 2 ** 31 - 1, undefined], itself), ['-1', '2147483647', null]],
  ['bigint', bigints([-1, 2 ** 53 - 1, -(2 ** 53) + 1], itself), ['-1', '9007199254740991', '-9007199254740991']],
  ['bigint', bigints([9_223_372_036_854_775_807n, -1042n], itself), ['9223372036854775807', '-1042']],
  ['real', reals([12.345, 0], itself), ['12.345', '0']],
  ['text', texts(['a "quoted" \\ {text}', '', undefined, 'NULL'], itself), ['a "quoted" \\ {text}', '', null, 'NULL']],
  ['text', texts([long, 'short'], itself), [long, 'short']],
  ['json', jsons(['{"a":"\\"b\\\\"}', undefined, '{"ä":[]}'], itself), ['{"a":"\\"b\\\\"}', null, '{"ä":[]}']],
  ['jsonb', binaryJsons(['{"a":"\\"b\\\\"}'], itself), ['{"a": "\\"b\\\\"}']],
  ['uuid', uuids([uuid, undefined, uuid.toUpperCase()], itself), [uuid, null, uuid]],
  ['bytea', bytes([Buffer.from([0, 255]), Buffer.alloc(0)], itself), ['\\x00ff', '\\x']],
  [
    'timestamptz',
    moments([Date.UTC(1999, 11, 31), 1_789_000_000_123], itself),
    ['1999-12-31 00:00:00+00', '2026-09-10 00:26:40.123+00'],
  ],
  ['int', integers([], itself), []],
];

describe.each(databaseKinds)('a column sent as one array to $name', (kind) => {
  let opened: OpenedDatabase;
  beforeAll(async () => {
    if (kind.available) opened = await kind.open();
  });
  afterAll(() => opened?.drop());

  it.skipIf(!kind.available).each(table)('arrives as it was written: %s', async (type, column, written) => {
    const statement = { name: `arrays-${type}`, text: `select value::text from unnest($1::${type}[]) as value` };
    const rows = await opened.database.query(statement, [column]);
    expect(rows.map((row) => row.value)).toEqual(written);
  });

  it.skipIf(!kind.available)('is not sent when it is null in every row, and arrives as such', async () => {
    const statement = { name: 'arrays-null', text: 'select * from unnest($1::int[], $2::text[]) as r(number, word)' };
    const words = texts([undefined, undefined], itself);
    expect(words).toBeNull();
    expect(await opened.database.query(statement, [integers([1, 2], itself), words])).toEqual([
      { number: 1, word: null },
      { number: 2, word: null },
    ]);
  });
});

it('a number that does not fit is refused before anything is sent', () => {
  expect(() => integers([2 ** 31], itself)).toThrow(RangeError);
});
