// A script as the statements it is made of. Citus hands the text of some statements on as it came, so one that came
// together with others is refused.

/** What may hold a semicolon that ends nothing: texts, names, and comments. */
const PIECE = /'(?:[^']|'')*'|"(?:[^"]|"")*"|(\$\w*\$).*?\1|--[^\n]*|\/\*.*?\*\/|;|[^;'"$/-]+|./gs;

const COMMENT = /^(--|\/\*)/;

export function splitScript(sql: string): string[] {
  const statements = [''];
  for (const [piece] of sql.matchAll(PIECE)) {
    if (piece === ';') statements.push('');
    else if (!COMMENT.test(piece)) statements[statements.length - 1] += piece;
  }
  return statements.map((text) => text.trim()).filter((text) => text !== '');
}
