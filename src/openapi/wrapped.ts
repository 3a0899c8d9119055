// Breaks the lines of a Markdown page at 120 columns. Rows of tables cannot be broken; code between backticks and links
// stay whole, and no line begins with a character that Markdown would take for markup.

export const MAX_COLUMNS = 120;
const PIECES = /(?:`[^`]*`|\[[^\]]*\]\([^)]*\)|\S)+(?: (?:[-+*=>]|\d+[.)])(?= ))*/g;

export function wrapped(page: string): string {
  return page.split('\n').map(wrappedLine).join('\n');
}

function wrappedLine(line: string): string {
  if (line.length <= MAX_COLUMNS || line.startsWith('|')) return line;
  const indent = line.startsWith('- ') ? '  ' : '';
  const [first = '', ...pieces] = line.match(PIECES) ?? [];
  const lines = [first];
  for (const piece of pieces) {
    const longer = `${lines.at(-1)} ${piece}`;
    if (longer.length <= MAX_COLUMNS) lines[lines.length - 1] = longer;
    else lines.push(indent + piece);
  }
  return lines.join('\n');
}
