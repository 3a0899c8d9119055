// Tables of issuers. A large one comes in parts, and nothing of it is used before all of it is there: whatever goes
// wrong on the way leaves the old table in use.

import { isBankName } from '../../domain/card/bin-file.ts';
import { type BinRow, LONGEST_BIN, SHORTEST_BIN } from '../../domain/card/bin-table.ts';
import { isCountryAlphaThree } from '../../domain/country.ts';
import { type InputKind, id, Misread } from '../../domain/input-kinds.ts';
import { aNumber, anObject, told } from '../verb/answers.ts';
import { mustGive } from '../verb/inputs.ts';
import { InvalidInput } from '../verb/invalid-input.ts';
import { defineVerb } from '../verb/verb.ts';

/** The most rows of one part. */
export const MAX_BIN_ROWS = 2_000;

const SAYS = `a list of at most ${MAX_BIN_ROWS} rows, each a bin, a bank or null, and a country of three letters or null`;

const binRows: InputKind<readonly BinRow[]> = {
  schema: {
    type: 'array',
    maxItems: MAX_BIN_ROWS,
    items: { type: 'array', minItems: 3, maxItems: 3, items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
  },
  what: SAYS,
  spelling: 'text',
  read: (value) => {
    if (!Array.isArray(value) || value.length > MAX_BIN_ROWS) return new Misread(`${SAYS} is needed`);
    const rows = value.map(rowOf);
    return rows.every((row) => row !== undefined) ? rows : new Misread(`${SAYS} is needed`);
  },
};

const BIN = new RegExp(`^\\d{${SHORTEST_BIN},${LONGEST_BIN}}$`);

function rowOf(value: unknown): BinRow | undefined {
  const [bin, bank, country] = Array.isArray(value) ? value : [];
  if (typeof bin !== 'string' || !BIN.test(bin)) return undefined;
  if (bank !== null && (typeof bank !== 'string' || !isBankName(bank))) return undefined;
  if (country !== null && (typeof country !== 'string' || !isCountryAlphaThree(country))) return undefined;
  return { bin, bank: bank ?? undefined, country: country ?? undefined };
}

const table = mustGive(id, 'the number of the table', { told: true });

export const beginBins = defineVerb({
  name: 'beginBins',
  summary: 'begin a new table of issuers; one that was begun before and is not in use is given up',
  role: 'administrator',
  conduct: 'change',
  given: {},
  answer: anObject({ table: told(aNumber('The number of the new table.')) }),
  run: async (_, { bins }) => ({ table: await bins.begin() }),
});

export const addBins = defineVerb({
  name: 'addBins',
  summary: 'add rows to a table of issuers that is not yet in use',
  role: 'administrator',
  conduct: 'change',
  given: { table, rows: mustGive(binRows, 'the rows') },
  answer: anObject({ rows: aNumber('How many were added.') }),
  run: async ({ table, rows }, { bins }) => {
    if (!(await bins.add(table, rows))) throw superseded();
    return { rows: rows.length };
  },
});

export const useBins = defineVerb({
  name: 'useBins',
  summary: 'use a table of issuers in the place of the present one',
  role: 'administrator',
  conduct: 'change',
  given: { table },
  answer: anObject({ table: aNumber(), rows: told(aNumber('How many rows it has.')) }),
  run: async ({ table }, { bins }) => {
    const rows = await bins.count(table);
    if (!(await bins.use(table))) throw superseded();
    return { table, rows };
  },
});

function superseded(): InvalidInput {
  return new InvalidInput('another import has begun since; only one can run at a time');
}
