// Pages as tagged templates. Every value is escaped, unless it was itself made by a template: text of a merchant or a
// payer can never become markup. Attributes are always written in double quotes.

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  toString(): string {
    return this.text;
  }
}

export type Piece = Html | string | number | undefined | false | readonly Piece[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] as string);
}

export function html(strings: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  return new Html(strings.reduce((text, string, index) => text + written(pieces[index - 1]) + string));
}

function written(piece: Piece): string {
  if (piece === undefined || piece === false) return '';
  if (piece instanceof Html) return piece.text;
  if (typeof piece === 'object') return piece.map(written).join('');
  return escapeHtml(String(piece));
}

/** Attributes of an element: `true` writes the name alone, `false` and undefined nothing. */
export function attributes(values: Readonly<Record<string, string | number | boolean | undefined>>): Html {
  const text = Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [` ${name}`] : [` ${name}="${escapeHtml(String(value))}"`];
  });
  return new Html(text.join(''));
}
