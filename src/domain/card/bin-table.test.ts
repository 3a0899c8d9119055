import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BinFileReader, UnreadableLine } from './bin-file.ts';
import { type BinRow, BinTable } from './bin-table.ts';
import { TEST_BINS } from './test-bins.ts';

const row = (bin: string, bank?: string, country?: string): BinRow => ({ bin, bank, country });

describe('the table of issuers', () => {
  const table = new BinTable([
    row('4111', 'Old Bank', 'USA'),
    row('411122', 'New Bank', 'USA'),
    row('41112233', 'Small Bank', 'CAN'),
    row('5555', undefined, 'DEU'),
    row('60000000', 'First', 'FRA'),
    row('60000001', 'Second', 'FRA'),
    row('99999999', 'Last', undefined),
  ]);

  it.each<[string, string, BinRow['bank'], BinRow['country']]>([
    ['the longest beginning counts', '41112233', 'Small Bank', 'CAN'],
    ['a shorter one, where there is no longer one', '41112244', 'New Bank', 'USA'],
    ['the shortest one', '41119999', 'Old Bank', 'USA'],
    ['a country alone', '55551111', undefined, 'DEU'],
    ['the last row', '99999999', 'Last', undefined],
    ['six digits that are enough', '411199', 'Old Bank', 'USA'],
    ['six digits with the same country behind them', '600000', undefined, 'FRA'],
  ])('%s', (_, digits, bank, country) => {
    // Six digits of which longer rows disagree tell only what these have in common with the row of the six.
    if (digits === '600000') expect(table.find(digits)).toBeUndefined();
    else expect(table.find(digits)).toEqual({ bank, country });
  });

  it('tells nothing of what it does not know, or of what six digits cannot decide', () => {
    expect(table.find('30000000')).toBeUndefined();
    expect(table.find('411122')).toBeUndefined();
    expect(new BinTable([]).find('41111111')).toBeUndefined();
  });

  it('finds what a search through all rows finds', () => {
    const bin = fc.integer({ min: 4, max: 8 }).chain((length) => fc.stringMatching(new RegExp(`^[12]{${length}}$`)));
    const name = fc.option(fc.constantFrom('A', 'B', 'C'), { nil: undefined });
    const rows = fc.uniqueArray(fc.record({ bin, bank: name, country: name }), { selector: (one) => one.bin });
    fc.assert(
      fc.property(rows, fc.stringMatching(/^[12]{8}$/), (all, digits) => {
        const fitting = all.filter((one) => digits.startsWith(one.bin)).sort((a, b) => b.bin.length - a.bin.length);
        const [best] = fitting;
        expect(new BinTable(all).find(digits)).toEqual(best && { bank: best.bank, country: best.country });
      }),
    );
  });

  it('takes many rows', () => {
    const many = Array.from({ length: 300_000 }, (_, index) =>
      row(String(40_000_000 + index), `Bank ${index % 5_000}`),
    );
    const large = new BinTable(many);
    expect(large.size).toBe(300_000);
    expect(large.find('40123456')?.bank).toBe(`Bank ${123_456 % 5_000}`);
  });

  it('ships each test number once', () => {
    expect(new Set(TEST_BINS.map(({ bin }) => bin)).size).toBe(TEST_BINS.length);
    expect(new BinTable(TEST_BINS).find('41111111')).toEqual({ bank: 'TEST BANK ONE', country: 'USA' });
  });
});

describe('a file of issuers', () => {
  const read = (...lines: string[]) => {
    const reader = new BinFileReader();
    return lines.map((line) => {
      const found = reader.read(line);
      return found instanceof UnreadableLine ? `line ${reader.line}: ${found.says}` : found;
    });
  };

  it('may have its columns in any order, others beside them, quotes, and empty lines', () => {
    const lines = read('\ufeffCountry,brand,"Bank",bin', 'US,VISA,"First, ""Best"" Bank",411111', '', 'deu,,,5555');
    expect(lines).toEqual([
      undefined,
      row('411111', 'First, "Best" Bank', 'USA'),
      undefined,
      row('5555', undefined, 'DEU'),
    ]);
  });

  it.each([
    [['bin'], 'line 1: the names of the columns are needed'],
    [['411111,Bank'], 'line 1: the names of the columns are needed'],
    [['bin,bank,bin'], 'line 1: the column bin stands there twice'],
    [['bin,bank', '411,Bank'], 'line 2: bin must have 4 to 8 digits'],
    [['bin,bank', '411111111,Bank'], 'line 2: bin must have 4 to 8 digits'],
    [['bin,bank', '4111x1,Bank'], 'line 2: bin must have 4 to 8 digits'],
    [['bin,bank', '411111,A', '411111,B'], 'line 3: bin 411111 is in line 2 already'],
    [['bin,country', '411111,Utopia'], 'line 2: country must be two or three letters'],
    [['bin,bank', `411111,${'x'.repeat(101)}`], 'line 2: bank must have at most 100 characters'],
    [['bin,bank', '411111,"Bank'], 'line 2: a quote is not closed'],
    [['bin,bank', '411111,Caf\ufffd'], 'line 2: it is not UTF-8'],
    [['bin,bank', '411111,"Bank" more'], 'line 2: a quote is not closed'],
  ])('with %j is wrong in %s', (lines, says) => {
    expect(read(...lines).at(-1)).toContain(says);
  });
});
