// Reads settlement files: CSV (RFC 4180) with a line of names, amounts in minor units.

import type { ClearedLine } from './reconciliation.ts';

const COLUMNS = ['reference', 'kind', 'original', 'amount', 'currency', 'cleared_at'] as const;

/** A line cannot be read; the message says which one and why. */
export class UnreadableSettlement extends Error {
  override readonly name = 'UnreadableSettlement';
}

/** The lines of one file. An empty file, or one with names alone, has none. */
export function readSettlementLines(text: string): ClearedLine[] {
  const [names, ...rows] = rowsOf(text.replace(/^\uFEFF/, ''));
  if (!names) return [];
  if (names.join() !== COLUMNS.join()) {
    throw new UnreadableSettlement(`line 1: the names ${COLUMNS.join(',')} are needed`);
  }
  return rows.map((cells, index) => lineOf(cells, index + 2));
}

function lineOf(cells: readonly string[], number: number): ClearedLine {
  const fault = (why: string) => new UnreadableSettlement(`line ${number}: ${why}`);
  if (cells.length !== COLUMNS.length) throw fault(`${COLUMNS.length} values are needed, not ${cells.length}`);
  const [reference = '', kind = '', , amount = '', currency = '', clearedAt = ''] = cells;
  if (reference === '' || kind === '') throw fault('reference and kind are needed');
  if (!/^\d{1,18}$/.test(amount)) throw fault('the amount must be whole minor units');
  if (!/^[A-Z]{3}$/.test(currency)) throw fault('the currency must be three letters');
  const at = Date.parse(clearedAt);
  if (Number.isNaN(at)) throw fault('cleared_at must be a moment such as 2027-01-31T23:00:00.000Z');
  return { reference, kind, minor: BigInt(amount), currency, clearedAt: at };
}

/** A cell, and what ends it. In quotation marks it may hold commas, line ends and doubled quotation marks. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"(?!")|([^,\r\n]*))(,|\r\n|.)?/gsy;

function rowsOf(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = '', end] of text.matchAll(CELL)) {
    if (plain.startsWith('"')) throw new UnreadableSettlement('a quotation mark is never closed');
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    if (row.length > 1 || row[0] !== '') rows.push(row);
    row = [];
  }
  return rows;
}
