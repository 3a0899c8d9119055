// Comma-separated values by RFC 4180: cells in quotes may hold commas, line breaks and doubled quotes; lines end with
// CRLF or LF, and a byte order mark in front is passed over. What is written is safe to open with a spreadsheet.

/** A row, and the line that it begins on. */
export type CsvRow = { readonly line: number; readonly cells: readonly string[] };

export class UnreadableCsv {
  readonly line: number;
  readonly says: string;

  constructor(line: number, says: string) {
    this.line = line;
    this.says = says;
  }
}

/** A quoted cell, or one without quotes; what stands behind it ends the cell, the row or the file. */
const CELL = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|\n|$|(?=[\s\S]))/y;

/** Every row that is not empty. */
export function readCsv(text: string): CsvRow[] | UnreadableCsv {
  const rows: CsvRow[] = [];
  let cells: string[] = [];
  let line = 1;
  let begins = 1;
  CELL.lastIndex = text.startsWith('\uFEFF') ? 1 : 0;
  for (;;) {
    const match = CELL.exec(text);
    const [whole = '', quoted, plain = '', end = ''] = match ?? [];
    const isOver = CELL.lastIndex >= text.length && end === '';
    if (!match || (end === '' && !isOver)) {
      return new UnreadableCsv(line, 'a quote stands where none may, or is not closed');
    }
    cells.push(quoted?.replaceAll('""', '"') ?? plain);
    line += whole.split('\n').length - 1;
    if (end === ',') continue;
    if (cells.length > 1 || cells[0] !== '') rows.push({ line: begins, cells });
    cells = [];
    begins = line;
    if (isOver || CELL.lastIndex >= text.length) return rows;
  }
}

/**
 * Where a spreadsheet would begin a formula, and carry it out: also behind what some take for the end of a cell, and
 * the quotes that stand there then.
 */
const FORMULA = /^(?=[\t\r])|(?<=^|[;|\t\r\n])(?="*[=+\-@])/g;

/** One row with its end. Texts of merchants and payers may begin like a formula: an apostrophe makes them text. */
export function csvRow(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: string | number | null): string {
  const text = typeof value === 'string' ? value.replace(FORMULA, "'") : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
