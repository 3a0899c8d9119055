// Rows as an aligned table, or name and value one below the other, and moments as people read them. What is shown may
// come from merchants, banks and networks: a cell stays on its line, and tells the terminal nothing.

const GAP = '  ';

export function textTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows.map((row) => row.map(onOneLine))];
  const widths = head.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join(GAP)
        .trimEnd(),
    )
    .join('\n');
}

export function properties(entries: readonly (readonly [name: string, value: string])[]): string {
  const shown = entries.map(([name, value]) => [onOneLine(name), onOneLine(value)] as const);
  const width = Math.max(...shown.map(([name]) => name.length));
  return shown.map(([name, value]) => `${name.padEnd(width)}${GAP}${value}`).join('\n');
}

function onOneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ');
}

/** `1 payment`, `2 payments`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** A moment to the millisecond, for what happens within a second. */
export function millisecond(moment: string | null): string {
  return moment === null ? '-' : moment.replace('T', ' ').replace(/Z$/, ' UTC');
}

/** A moment for people, to the minute; `-` when there is none. */
export function minute(moment: string | null): string {
  return moment === null ? '-' : moment.replace('T', ' ').replace(/:\d\d\.\d{3}Z$/, ' UTC');
}

/** Shows a list as a table of these columns, or says that there is nothing. */
export function rowsOf<T>(
  columns: Readonly<Record<string, (one: T) => string | number | null>>,
  otherwise: string,
): (all: readonly T[]) => string {
  const heads = Object.keys(columns);
  const cells = Object.values(columns);
  return (all) =>
    all.length === 0
      ? otherwise
      : textTable(
          heads,
          all.map((one) => cells.map((cell) => String(cell(one) ?? '-'))),
        );
}
