import { describe, expect, it } from 'vitest';
import { csvRow, readCsv, UnreadableCsv } from './csv.ts';

describe('comma-separated values', () => {
  it.each<[string, string[][]]>([
    ['', []],
    [
      'a,b\r\n1,2\r\n',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    [
      'a,b\n1,2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
    ],
    ['\uFEFFa\n1\n', [['a'], ['1']]],
    ['a,,\n', [['a', '', '']]],
    ['"a,b","say ""hi""",""\n', [['a,b', 'say "hi"', '']]],
    ['"two\r\nlines",x\n', [['two\r\nlines', 'x']]],
    ['a\n\n\nb\n', [['a'], ['b']]],
    [' a , b ', [[' a ', ' b ']]],
    ['a,', [['a', '']]],
  ])('%j', (text, expected) => {
    const rows = readCsv(text);
    expect(rows instanceof UnreadableCsv ? rows : rows.map(({ cells }) => cells)).toEqual(expected);
  });

  it('tells on which line a row begins', () => {
    const rows = readCsv('a\n"x\ny",1\n\nb');
    expect(rows instanceof UnreadableCsv ? [] : rows.map(({ line }) => line)).toEqual([1, 2, 5]);
  });

  it.each([
    ['a\n"open', 2],
    ['a\nx"y\n', 2],
    ['"x"y', 1],
    ['a\n"x" ,b', 2],
  ])('%j is unreadable on line %i', (text, line) => {
    expect(readCsv(text)).toMatchObject({ line, says: expect.stringContaining('quote') });
  });

  it('reads many rows', () => {
    const rows = readCsv('a,"b"\r\n'.repeat(20_000));
    expect(rows instanceof UnreadableCsv ? 0 : rows.length).toBe(20_000);
  });
});

describe('a row that is written', () => {
  it.each<[readonly (string | number | null)[], string]>([
    [['a', 7, null], 'a,7,\r\n'],
    [['say "hi"', 'a,b', 'two\r\nlines'], '"say ""hi""","a,b","two\r\nlines"\r\n'],
    [['=1+1', '+1', '-1', '@x'], "'=1+1,'+1,'-1,'@x\r\n"],
    [['\t=1', '=HYPERLINK("x")'], '\'\t\'=1,"\'=HYPERLINK(""x"")"\r\n'],
    [['a;=1', 'a|+1', 'a\t-1', 'a;;@x', 'a;b=1'], "a;'=1,a|'+1,a\t'-1,a;;'@x,a;b=1\r\n"],
    [['a\r\n=1', 'a;"=1', 'a\r@x'], '"a\r\n\'=1","a;\'""=1","a\r\'@x"\r\n'],
    [[-5], '-5\r\n'],
  ])('%j', (cells, line) => {
    expect(csvRow(cells)).toBe(line);
  });
});
