import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  changedRecords,
  judgeRecords,
  placeOf,
  putBack,
  type RecordContent,
  type RecordTable,
  recordSetText,
  recordText,
} from './records.ts';

const mac = (text: string) => createHash('sha256').update(`key ${text}`).digest('hex');
const ANN = { key: '1\u001fann', content: '{"a": 1}' };
const BOB = { key: '1\u001fbob', content: '{"a": 2}' };

function signed(rows: readonly RecordContent[], table = 'keys', counter = 1): RecordTable {
  const macs = new Map(rows.map((row) => [row.key, mac(recordText(table, row))]));
  const set = { counter, dataKeyId: -1 };
  return { table, rows, macs, set: { ...set, mac: mac(recordSetText(table, set, macs.values())) } };
}

const whole = signed([ANN, BOB]);
const without = (macs: ReadonlyMap<string, string>, key: string) => new Map([...macs].filter(([one]) => one !== key));

describe('a table of records', () => {
  it.each<[string, RecordTable, { good: RecordContent[]; isWhole: boolean; wrong: string[] }]>([
    ['as it was signed', whole, { good: [ANN, BOB], isWhole: true, wrong: [] }],
    ['empty', signed([]), { good: [], isWhole: true, wrong: [] }],
    [
      'with a row more',
      { ...whole, rows: [...whole.rows, { key: '1\u001feve', content: '{}' }] },
      { good: [ANN, BOB], isWhole: true, wrong: ['keys 1 eve'] },
    ],
    [
      'with a row changed',
      { ...whole, rows: [ANN, { ...BOB, content: '{"a": 3}' }] },
      { good: [ANN], isWhole: true, wrong: ['keys 1 bob'] },
    ],
    [
      'with a row under the key of another, and its MAC',
      { ...whole, macs: new Map([...whole.macs, [BOB.key, whole.macs.get(ANN.key) ?? '']]) },
      { good: [ANN], isWhole: false, wrong: ['keys 1 bob', 'table keys'] },
    ],
    [
      'with a row copied under another key, and its MAC',
      {
        ...whole,
        rows: [ANN, { ...BOB, content: ANN.content }],
        macs: new Map([...whole.macs, [BOB.key, whole.macs.get(ANN.key) ?? '']]),
      },
      { good: [ANN], isWhole: false, wrong: ['keys 1 bob', 'table keys'] },
    ],
    ['without a row', { ...whole, rows: [ANN] }, { good: [ANN], isWhole: false, wrong: ['keys 1 bob'] }],
    [
      'without a row and its MAC',
      { ...whole, rows: [ANN], macs: without(whole.macs, BOB.key) },
      { good: [ANN], isWhole: false, wrong: ['table keys'] },
    ],
    [
      'without any MAC',
      { ...whole, macs: new Map() },
      { good: [], isWhole: false, wrong: ['keys 1 ann', 'keys 1 bob', 'table keys'] },
    ],
    ['without its set', { ...whole, set: undefined }, { good: [ANN, BOB], isWhole: false, wrong: ['table keys'] }],
    [
      'with the set of another table',
      { ...whole, set: signed([ANN, BOB], 'limits').set },
      { good: [ANN, BOB], isWhole: false, wrong: ['table keys'] },
    ],
    [
      'with a counter that was turned',
      { ...whole, set: { counter: 2, dataKeyId: -1, mac: whole.set?.mac ?? '' } },
      { good: [ANN, BOB], isWhole: false, wrong: ['table keys'] },
    ],
    [
      'with a set that names another key',
      { ...whole, set: { counter: 1, dataKeyId: -2, mac: whole.set?.mac ?? '' } },
      { good: [ANN, BOB], isWhole: false, wrong: ['table keys'] },
    ],
    [
      'whose MACs were read in another order',
      { ...whole, macs: new Map([...whole.macs].reverse()) },
      { good: [ANN, BOB], isWhole: true, wrong: [] },
    ],
    [
      'copied from another table, with its MACs',
      { ...signed([ANN, BOB], 'limits'), table: 'keys' },
      { good: [], isWhole: false, wrong: ['keys 1 ann', 'keys 1 bob', 'table keys'] },
    ],
  ])('%s', (_, read, { good, isWhole, wrong }) => {
    const judged = judgeRecords(read, mac);
    expect([...judged.good]).toEqual(good.map(({ key }) => key));
    expect(judged.isWhole).toBe(isWhole);
    expect(judged.tampered.map(({ place }) => place)).toEqual(wrong);
  });

  it('is never right without a key', () => {
    expect(judgeRecords(whole, undefined)).toMatchObject({ good: new Set(), isWhole: false });
  });
});

it.each<[number | undefined, number | undefined, number]>([
  [5, 4, 1],
  [5, 5, 0],
  [5, 6, 0],
  [undefined, 1, 0],
  [5, undefined, 0],
])('a table that was changed %s times and now %s is told %s times', (before, now, found) => {
  expect(putBack('keys', before, now)).toHaveLength(found);
});

it('tells what was written and what is gone', () => {
  const changed = { ...ANN, content: '{}' };
  const eve = { key: '1\u001feve', content: '{}' };
  expect(changedRecords([ANN, BOB], [changed, eve])).toEqual({ written: [changed, eve], removed: [BOB.key] });
  expect(changedRecords([ANN], [ANN])).toEqual({ written: [], removed: [] });
});

it('names a row by its table and key', () => {
  expect(placeOf('merchant_keys', ANN.key)).toBe('merchant_keys 1 ann');
});
