// What the search of the pages looks through: a short entry per heading, so that a result leads to its paragraph. It is
// one file that the browser reads when somebody begins to search.

import { type RenderedPage, withoutTags } from './markdown.ts';

export type SearchEntry = {
  /** The page. */
  readonly p: string;
  /** Its anchor; absent for the beginning of the page. */
  readonly a?: string;
  /** The title of the page. */
  readonly t: string;
  readonly h?: string;
  /** The text below the heading. */
  readonly x: string;
};

/** More text of one heading would make the file large and results no better. */
const MAX_TEXT = 700;

export function searchEntries(path: string, { title, body, headings }: RenderedPage): SearchEntry[] {
  const [beginning = '', ...parts] = body.split(/<h[2-6] id="/);
  const rest = parts.map((part) => {
    const id = part.slice(0, part.indexOf('"'));
    const heading = headings.find((one) => one.id === id)?.text ?? id;
    const text = part.slice(part.indexOf('</h') + '</h2>'.length);
    return { p: path, a: id, t: title, h: heading, x: shortened(text) };
  });
  return [{ p: path, t: title, x: shortened(beginning) }, ...rest];
}

function shortened(markup: string): string {
  return withoutTags(markup.replace(/<\/(td|th|p|li|tr)>/g, ' '))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT);
}
