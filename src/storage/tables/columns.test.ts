import { describe, expect, expectTypeOf, it } from 'vitest';
import { column } from './column.ts';
import { Columns } from './columns.ts';
import { COLUMNS, jsonReader, rowReader, statement } from './statement.ts';
import { table } from './table.ts';

const sealed = new Columns({ bytes: column.bytea('sealed'), dataKeyId: column.int('data_key_id') });

const things = table('things', ['merchantId', 'thingId'], {
  merchantId: column.id('merchant_id'),
  thingId: column.id('thing_id'),
  state: column.text<'on' | 'off'>('state'),
  label: column.text('label'),
  amount: column.bigint('amount').optional(),
  sealed: sealed.optional(),
  facts: column.jsonb<{ readonly a: number }>('facts'),
  createdAt: column.moment('created_at'),
});

const read = (kind: { readonly parse: ((text: string) => unknown) | undefined }, text: string) => kind.parse?.(text);

describe('a value as PostgreSQL writes it', () => {
  it.each([
    ['2026-11-16 10:32:25+00', Date.UTC(2026, 10, 16, 10, 32, 25)],
    ['2026-11-16 10:32:25.1+00', Date.UTC(2026, 10, 16, 10, 32, 25, 100)],
    ['2026-11-16 10:32:25.029+00', Date.UTC(2026, 10, 16, 10, 32, 25, 29)],
    ['2026-11-16 10:32:25.123999+00', Date.UTC(2026, 10, 16, 10, 32, 25, 123)],
    ['2026-11-16 10:32:25.5+05:30', Date.UTC(2026, 10, 16, 5, 2, 25, 500)],
    ['0999-01-01 00:00:00+00', Date.parse('0999-01-01T00:00:00Z')],
    ['12026-01-01 00:00:00+00', Date.UTC(12026, 0, 1)],
  ])('the moment %s', (text, moment) => {
    expect(read(column.moment('at').kind, text)).toBe(moment);
  });

  it.each([
    [column.id('x').kind, '9007199254740991', 9007199254740991],
    [column.bigint('x').kind, '9223372036854775807', 9223372036854775807n],
    [column.bigints('x').kind, '{}', []],
    [column.bigints('x').kind, '{1,9223372036854775807}', [1n, 9223372036854775807n]],
    [column.texts('x').kind, '{a,"b \\"c\\"",""}', ['a', 'b "c"', '']],
    [column.real('x').kind, '0.25', 0.25],
    [column.boolean('x').kind, 't', true],
    [column.boolean('x').kind, 'f', false],
    [column.bytea('x').kind, '\\x00ff', Buffer.from([0, 255])],
    [column.hex('x').kind, '\\x00ff', '00ff'],
    [column.json('x').kind, '{"a":[1]}', { a: [1] }],
  ])('%# is read', (kind, text, value) => {
    expect(read(kind, text)).toEqual(value);
  });
});

describe('a list of columns', () => {
  it('reads a row by the order of the columns, in the types they say', () => {
    const row = rowReader(things).read(['1', '2', 'on', 'a', null, '\\x01', '7', '{"a":1}', '1970-01-01 00:00:01+00']);
    expectTypeOf(row.state).toEqualTypeOf<'on' | 'off'>();
    expectTypeOf(row.label).toEqualTypeOf<string>();
    expectTypeOf(row.amount).toEqualTypeOf<bigint | undefined>();
    expect(row).toStrictEqual({
      merchantId: 1,
      thingId: 2,
      state: 'on',
      label: 'a',
      amount: undefined,
      sealed: { bytes: Buffer.from([1]), dataKeyId: 7 },
      facts: { a: 1 },
      createdAt: 1000,
    });
  });

  it('reads columns that are null together as nothing', () => {
    const { read, width } = rowReader(things.pick('thingId', 'sealed'));
    expect(width).toBe(3);
    expect(read(['2', null, null])).toStrictEqual({ thingId: 2, sealed: undefined });
  });

  it('refuses null where the list does not allow it', () => {
    expect(() => rowReader(things.key).read(['1', null])).toThrow('thing_id is null, and may not be');
  });

  it('reads what was selected into JSON by its names', () => {
    const picked = things.pick('thingId', 'amount', 'facts', 'createdAt');
    expect(picked.inJson()).toBe('thing_id, amount::text, facts, created_at');
    const row = { created_at: '1970-01-01T00:00:01.5+00:00', facts: { a: 1 }, amount: '12', thing_id: 2 };
    expect(jsonReader(picked)(row)).toStrictEqual({ thingId: 2, amount: 12n, facts: { a: 1 }, createdAt: 1500 });
  });

  it('makes a value of other form of several columns, and takes it apart', () => {
    const span = new Columns({ from: column.id('low'), to: column.id('high') }).as(
      ({ from, to }) => `${from}-${to}`,
      (text) => ({ from: Number(text.split('-')[0]), to: Number(text.split('-')[1]) }),
    );
    const spans = new Columns({ span });
    expect(rowReader(spans).read(['1', '5'])).toStrictEqual({ span: '1-5' });
    expect(spans.values({ span: '2-3' })).toEqual([2, 3]);
  });

  it('writes a row as parameters in the same order', () => {
    const row = { merchantId: 1, thingId: 2, state: 'off', label: 'a', amount: undefined, sealed: undefined } as const;
    expect(things.values({ ...row, facts: { a: 1 }, createdAt: 1000 })).toEqual([
      1,
      2,
      'off',
      'a',
      undefined,
      undefined,
      undefined,
      '{"a":1}',
      '1970-01-01T00:00:01.000Z',
    ]);
    expect(things.insert(things.pick('thingId', 'sealed'))).toBe(
      'insert into things (thing_id, sealed, data_key_id) values ($1, $2, $3)',
    );
  });

  it('gives SQL what it needs of the names', () => {
    expect(things.key.equal()).toBe('merchant_id = $1 and thing_id = $2');
    expect(things.key.match('a', 'b')).toBe('a.merchant_id = b.merchant_id and a.thing_id = b.thing_id');
    expect(things.pick('state', 'sealed').of('t').names()).toBe('t.state, t.sealed, t.data_key_id');
    expect(things.without('facts', 'sealed', 'amount', 'state', 'label').names()).toBe(
      'merchant_id, thing_id, created_at',
    );
  });

  it('counts parameters from where it is told to, and casts what a batch cannot have', () => {
    expect(things.key.equal(4, ', ')).toBe('merchant_id = $4, thing_id = $5');
    const lists = new Columns({ words: column.texts('words'), sums: column.bigints('sums') });
    expect(lists.unnested('b.')).toBe('b.words::text[], b.sums::bigint[]');
    expect(lists.inJson()).toBe('words, sums::text[]');
  });

  it('stays optional under another name and in another form', () => {
    const amount = new Columns({ amount: column.bigint('amount') }).optional();
    const doubled = amount.as((row) => (row?.amount ?? 0n) * 2n);
    expect([amount.of('x').isOptional, doubled.isOptional]).toEqual([true, true]);
    expect(rowReader(new Columns({ amount: amount.of('x') })).read([null])).toEqual({ amount: undefined });
  });

  it('takes an empty text, zero and false for values, and writes nothing where nothing is', () => {
    const all = new Columns({ text: column.text('text'), count: column.int('count'), is: column.boolean('is') });
    expect(rowReader(all).read(['', '0', 'f'])).toEqual({ text: '', count: 0, is: false });
    expect(jsonReader(all)({ text: '', count: 0, is: false })).toEqual({ text: '', count: 0, is: false });
    const maybe = new Columns({ at: column.moment('at').optional(), facts: column.json('facts').optional() });
    expect(maybe.values({ at: undefined, facts: undefined })).toEqual([undefined, undefined]);
  });

  it('hands moments to a batch as they are, and other kinds as they are written', () => {
    const batch = new Columns({ at: column.moment('at'), hash: column.hex('hash') }).batchOfRows();
    const values = batch.map(([, , take]) => (take as (row: object) => unknown)({ at: 1000, hash: '00ff' }));
    expect(values).toEqual([1000, Buffer.from([0, 255])]);
  });

  it('refuses a name that could not stand in code', () => {
    expect(() => rowReader(new Columns({ 'a-b': column.id('a') }))).toThrow('a-b cannot be the name');
  });
});

describe('a statement with a list of columns', () => {
  it('has the list in its text, computed columns too', () => {
    const counted = { ...things.pick('state').of('t').parts, count: column.int('count(*)::int') };
    const { text, rows } = statement('x', counted)`select ${COLUMNS} from things t group by 1`;
    expect(text).toBe('select t.state, count(*)::int from things t group by 1');
    expect(rows?.read(['on', '3'])).toStrictEqual({ state: 'on', count: 3 });
  });
});
