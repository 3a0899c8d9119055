// What the documentation holds and in which order: docs/contents.json lists sections of pages, and every page of the
// repository that it does not list is found by links and by searching.

export type Shelf = { readonly title: string; readonly says: string; readonly pages: readonly string[] };

/** One page: where its text comes from, and its address below the first page without an ending. */
export type DocumentationSource = { readonly path: string; readonly source: string; readonly text: string };

/** The address of the page that a Markdown file of the repository becomes; undefined when it becomes none. */
export function pagePathOf(file: string): string | undefined {
  if (file === 'README.md' || file === 'docs') return '';
  if (file === 'docs/decisions/README.md' || file === 'docs/decisions') return 'decisions';
  if (file === 'docs/guides') return '';
  if (file === 'docs/reference') return 'reference/operations';
  const [, inDocs] = /^docs\/(.+)\.md$/.exec(file) ?? [];
  if (inDocs !== undefined) return inDocs;
  const [, atRoot] = /^([A-Z]+)\.md$/.exec(file) ?? [];
  return atRoot?.toLowerCase().replace('security', 'report-a-vulnerability');
}

/** Guides that nobody has listed stand in a section of their own, so that none is lost. */
export function withUnlisted(pages: readonly DocumentationSource[], sections: readonly Shelf[]): readonly Shelf[] {
  const listed = new Set(sections.flatMap((section) => section.pages));
  const others = pages.map(({ path }) => path).filter((path) => path.startsWith('guides/') && !listed.has(path));
  if (others.length === 0) return sections;
  return [...sections, { title: 'More guides', says: 'One task each.', pages: others.toSorted() }];
}

/** Pages of the whole site in reading order: those that are listed first, then the others by name. */
export function inReadingOrder(
  pages: readonly DocumentationSource[],
  sections: readonly Shelf[],
): DocumentationSource[] {
  const listed = sections.flatMap((section) => section.pages);
  const place = ({ path }: DocumentationSource) => (listed.includes(path) ? listed.indexOf(path) : listed.length);
  return pages.toSorted((a, b) => place(a) - place(b) || (a.path < b.path ? -1 : 1));
}

/** The first sentence of a page, for lists of pages. */
export function firstSentence(text: string): string {
  const paragraph = text
    .replace(/<!--.*?-->/gs, '')
    .split(/\n{2,}/)
    .map((one) => one.trim())
    .find((one) => one !== '' && !/^(#|```|\||- |!\[|>)/.test(one));
  const plain = (paragraph ?? '').replaceAll('\n', ' ').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const [sentence = ''] = /^.*?[.:!?](?=\s|$)/.exec(plain) ?? [plain];
  return sentence.replaceAll(/\*\*|`/g, '').replace(/:$/, '.');
}
