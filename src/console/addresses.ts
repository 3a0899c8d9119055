// Which page an address is of, and what its path names.

import type { ConsolePage, FormValues } from './page.ts';

export type PageFound = {
  readonly page: ConsolePage;
  readonly params: FormValues;
  /** The word behind the page's path: a form, or data for its scripts. */
  readonly word: string | undefined;
};

/** The page whose path is this whole one; its parameters are one part of the path each. */
export function pageAt(pages: readonly ConsolePage[], path: string): PageFound | undefined {
  for (const page of pages) {
    const params = fitting(page.path, path);
    if (params) return { page, params, word: undefined };
  }
  return undefined;
}

/** The page that has a form, or data, by the last word of this path. */
export function pageWith(pages: readonly ConsolePage[], path: string, kind: 'forms' | 'data'): PageFound | undefined {
  const cut = path.lastIndexOf('/');
  const [rest, last] = cut === -1 ? ['', path] : [path.slice(0, cut), path.slice(cut + 1)];
  const word = kind === 'data' ? last.replace(/\.json$/, '') : last;
  for (const page of pages) {
    const has = page[kind] !== undefined && Object.hasOwn(page[kind], word);
    const params = has ? fitting(page.path, rest) : undefined;
    if (params) return { page, params, word };
  }
  return undefined;
}

function fitting(pattern: string, path: string): FormValues | undefined {
  const [wanted, parts] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, want] of wanted.entries()) {
    const part = readPart(parts[index] ?? '');
    if (part === undefined) return undefined;
    if (want.startsWith(':') && part !== '') params[want.slice(1)] = part;
    else if (want !== part) return undefined;
  }
  return params;
}

function readPart(part: string): string | undefined {
  try {
    const text = decodeURIComponent(part);
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
