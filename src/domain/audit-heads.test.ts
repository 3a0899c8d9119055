import { expect, it } from 'vitest';
import { headFindings, headsIn, headText } from './audit-heads.ts';

const A = 'a'.repeat(64);
const B = 'b'.repeat(64);

it.each<[string, string, string[]]>([
  ['a file of heads', `2027-01-31T00:00:00.000Z 1:${A}\n2027-01-31T00:01:00.000Z 2:${B}\n`, [`1:${A}`, `2:${B}`]],
  ['a line of syslog', `<86>1 2027-01-31T18:00:00.000Z host tender 12 audit-head - head 7:${A}`, [`7:${A}`]],
  ['a JSON body', `{"head":"3:${B}","at":"2027-01-31T18:00:00.000Z"}`, [`3:${B}`]],
  ['something that only ends like one', `12:7:${A} x7:${A}`, []],
  ['no head at all', `18:00:00 nothing 1:${A}f ${A}`, []],
])('finds heads in %s', (_, text, heads) => {
  expect(headsIn(text).map(headText)).toEqual(heads);
});

it.each<[string, [number, string][], [number, string][], string[]]>([
  [
    'the same',
    [
      [1, A],
      [2, B],
    ],
    [
      [1, A],
      [2, B],
    ],
    [],
  ],
  [
    'a longer chain',
    [[1, A]],
    [
      [1, A],
      [2, B],
    ],
    [],
  ],
  ['the head of an empty chain', [[0, '0'.repeat(64)]], [], []],
  ['a cut chain', [[2, B]], [[1, A]], ['entry 2 was there when its hash was kept; the chain ends with entry 1']],
  ['a chain written anew', [[1, A]], [[1, B]], ['entry 1 is another one than the one whose hash was kept']],
  ['a hole', [[1, A]], [[2, B]], ['entry 1 was there when its hash was kept, and is missing']],
])('holds kept heads against %s', (_, kept, chain, findings) => {
  const heads = kept.map(([seq, hash]) => ({ seq, hash }));
  expect(headFindings(heads, new Map(chain))).toEqual(findings);
});
