import { describe, expect, it } from 'vitest';
import { guessedFilters, keptText } from './guessed-filter.ts';
import { endsOnly, knownEnds } from './typed-cards.ts';

const ENDS = '411111******1111';

const BETWEEN_GROUPS = [
  ...[
    '',
    ' ',
    '-',
    '.',
    '/',
    '_',
    ',',
    ':',
    ';',
    '|',
    '+',
    '=',
    '*',
    '#',
    '~',
    "'",
    '"',
    '’',
    '`',
    '\\',
    '<',
    '&',
    '%',
  ],
  ...[', ', ' : ', ' - ', ') (', '\t', '\n', '\u00a0', '\u200b', '，', '：', '、', '·', '—', '....', ' ,, '],
];

describe('a card number in groups of four', () => {
  it.each(BETWEEN_GROUPS)('with %j between them', (between) => {
    const number = ['4111', '1111', '1111', '1111'].join(between);
    expect(endsOnly(number)).toBe(ENDS);
    expect(keptText(`noon ${number} 10.42`)).toBe(`noon ${ENDS} 10.42`);
    expect(guessedFilters(number, { now: 0, zone: 'UTC' })).toEqual({ card: ENDS });
    expect(knownEnds(`INV-${number}`)).toBe(`INV-${ENDS}`);
  });
});

it.each([
  ['4111,1111:1111 1111', ENDS],
  ['4111,1111,1111,1112', '411111******1112'],
  ['3782:822463:10005', '378282******0005'],
  ['41:11:11:11:11:11:11:11', ENDS],
  ['411111,1111,111111', ENDS],
  ['6212 3456 7890 1234 569', '621234******4569'],
  ['621234 5678901234569', '621234******4569'],
  ['6212,3456,7890,1234,569', '621234******4569'],
  ['4111,1111,1111,1111,', `${ENDS},`],
  ['(4111)(1111)(1111)(1111)', `(${ENDS})`],
  ['４１１１，１１１１，１１１１，１１１１', ENDS],
  ['card 4111,1111,1111,1111, 10,42 EUR', `card ${ENDS}, 10,42 EUR`],
  ['id:4111:1111:1111:1111', `id:${ENDS}`],
])('of %j stays %j', (text, expected) => {
  expect(keptText(text)).toBe(expected);
  // What has been masked is masked again by nobody: pages lead to the masked address until nothing changes.
  expect(keptText(expected)).toBe(expected);
});

it.each([
  '1111 12:30 2027-07-01 10,42',
  '4242 12:30 2027-07-08',
  '4242 12:30, 2027-07-08',
  '2027-07-01T11:00:00.000Z',
  '2001:db8:0:1234:5678:90ab:1234:5678',
  '192.168.100.200',
  'id:1700000000001',
  '10,42 EUR, 31,07 EUR, 5,00 EUR',
  '١١١١ ظهرا',
  ENDS,
])('%j has none', (text) => {
  expect(keptText(text)).toBe(text);
});

it('takes no long number of a merchant for a card', () => {
  expect(knownEnds('9999,1111,1111,1111')).toBe('9999,1111,1111,1111');
  expect(knownEnds('4111,1111,1111,1112')).toBe('4111,1111,1111,1112');
});
