// Turns a Markdown file of the repository into the inside of a page: headings get the anchors that people know from
// code hosts, links lead to pages, and code can be copied. What a link names that is no page becomes plain text.

import { posix } from 'node:path';
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../web/design/html.ts';
import { highlighted } from './highlight.ts';

export type Heading = { readonly id: string; readonly text: string; readonly depth: number };

export type RenderedPage = {
  readonly title: string;
  /** Without the title, which the page shows itself. */
  readonly body: string;
  readonly headings: readonly Heading[];
};

export type RenderParts = {
  /** Where the text comes from, such as `docs/guides/sandbox.md`: its links are relative to that. */
  readonly source: string;
  readonly text: string;
  /** From the page to the first page: `../`, or `./`. */
  readonly root: string;
  /** The page that a file of the repository became, as a path below the first page; undefined when it is none. */
  pageOf(file: string, anchor: string): string | undefined;
  /** What stands in the place of a comment such as `try: SALE`; nothing when undefined. */
  insert(comment: string): string | undefined;
};

export function renderMarkdown({ source, text, root, pageOf, insert }: RenderParts): RenderedPage {
  const headings: Heading[] = [];
  const known = new Map<string, number>();
  let title = '';
  const resolved = (href: string): string | undefined => {
    if (/^(https?:|mailto:|#)/.test(href)) return href;
    const [path = '', anchor = ''] = href.split('#');
    const page = pageOf(posix.normalize(posix.join(posix.dirname(source), path)), anchor);
    return page === undefined ? undefined : `${root}${page}`;
  };
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const inside = this.parser.parseInline(tokens);
        const plain = withoutTags(inside);
        if (depth === 1 && title === '') {
          title = plain;
          return '';
        }
        const id = uniqueAnchor(plain, known);
        headings.push({ id, text: plain, depth });
        const link = `<a class="anchor" href="#${id}" aria-label="Link to: ${escapeHtml(plain)}">#</a>`;
        return `<h${depth} id="${id}">${inside} ${link}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inside = this.parser.parseInline(tokens);
        const target = resolved(href);
        return target === undefined ? inside : `<a href="${escapeHtml(target)}">${inside}</a>`;
      },
      image({ href, text: alternative }: Tokens.Image) {
        const target = resolved(href) ?? href;
        return `<img src="${escapeHtml(target)}" alt="${escapeHtml(alternative)}" loading="lazy">`;
      },
      code: ({ text: code, lang }: Tokens.Code) => codeBlock(code, lang ?? ''),
      table(token: Tokens.Table) {
        const row = (cells: readonly Tokens.TableCell[], tag: string, more = '') =>
          `<tr>${cells.map((cell) => `<${tag}${more}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`;
        const body = token.rows.map((cells) => row(cells, 'td')).join('\n');
        const isNamed = token.header.some((cell) => cell.text !== '');
        const head = isNamed ? `<thead>${row(token.header, 'th', ' scope="col"')}</thead>` : '';
        const about = ` tabindex="0" role="group" aria-label="Table: ${escapeHtml(nameOfTable(token))}"`;
        return `<div class="wide"${about}><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`;
      },
      html({ text: raw }: Tokens.HTML | Tokens.Tag) {
        const [, comment] = /^<!--\s*(.*?)\s*-->\s*$/s.exec(raw) ?? [];
        return comment === undefined ? escapeHtml(raw) : (insert(comment) ?? '');
      },
    },
  });
  const body = marked.parse(text, { async: false });
  return { title, body, headings };
}

function nameOfTable({ header, rows }: Tokens.Table): string {
  const [first] = [...header, ...(rows[0] ?? [])].filter((cell) => cell.text !== '');
  return (first?.text ?? '').replaceAll('`', '');
}

/** Long lines scroll, also with the keyboard. */
export function codeBlock(code: string, language: string): string {
  const inside = highlighted(code.replace(/\n$/, ''), language);
  const label = language === '' ? 'Code' : `Code: ${escapeHtml(language)}`;
  return `<div class="code"><pre tabindex="0" role="group" aria-label="${label}"><code>${inside}</code></pre></div>\n`;
}

/** The anchors that code hosts give: small letters, no punctuation, a number behind repeated ones. */
function uniqueAnchor(text: string, known: Map<string, number>): string {
  const plain = text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');
  const before = known.get(plain) ?? 0;
  known.set(plain, before + 1);
  return before === 0 ? plain : `${plain}-${before}`;
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Markup without its tags. */
export function withoutTags(markup: string): string {
  return markup.replace(/<[^>]*>/g, '').replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? '');
}
