// Walks the console as a person does who follows every link, and takes down every form on the way.

import { pageAt } from '../../src/console/addresses.ts';
import { allPages } from '../../src/console/pages.ts';
import { unescaped } from '../html-text.ts';
import type { PersonBrowser } from './person-browser.ts';

export type FoundForm = { readonly action: string; readonly fields: Readonly<Record<string, string>> };

export type ConsoleWalk = {
  /** Every address that was found, with its query. */
  readonly addresses: readonly string[];
  readonly forms: readonly FoundForm[];
  /** What was not answered with 200. */
  readonly faults: readonly string[];
};

/** Of each page so many addresses are looked at. */
const OF_EACH = 4;
const FORM = /<form method="post" action="(\/console[^"]*)"[^>]*>(.*?)<\/form>/gs;
const INPUT = /<(?:input|textarea|select)\b[^>]*\bname="([^"]+)"[^>]*>/g;

export async function walkConsole(browser: PersonBrowser): Promise<ConsoleWalk> {
  const open = ['/console'];
  const known = new Set(open);
  const looks = new Map<string, number>();
  const forms = new Map<string, FoundForm>();
  const faults: string[] = [];
  for (let address = open.shift(); address !== undefined; address = open.shift()) {
    const path = pageAt(allPages, pathOf(address))?.page.path ?? address;
    const seen = looks.get(path) ?? 0;
    looks.set(path, seen + 1);
    if (seen >= OF_EACH) continue;
    const { status, text } = await browser.send(address);
    if (status !== 200) faults.push(`${address} is answered with ${status}`);
    for (const [, action = '', body = ''] of text.matchAll(FORM)) {
      forms.set(unescaped(action), { action: unescaped(action), fields: fieldsIn(body) });
    }
    for (const [, link = ''] of text.matchAll(/href="(\/console[^"]*)"/g)) {
      const next = unescaped(link).split('#')[0] ?? '';
      if (known.has(next)) continue;
      known.add(next);
      open.push(next);
    }
  }
  return { addresses: [...known], forms: [...forms.values()], faults };
}

export function pathOf(address: string): string {
  return (address.split('?')[0] ?? '').replace(/^\/console\/?/, '');
}

/** As they stand there; what is empty gets something. The mark is of the session that sends it. */
function fieldsIn(body: string): Record<string, string> {
  const fields = [...body.matchAll(INPUT)].map(([tag, name = '']) => {
    const value = unescaped(/\bvalue="([^"]*)"/.exec(tag)?.[1] ?? '');
    return [name, value === '' ? '1' : value] as const;
  });
  return Object.fromEntries(fields.filter(([name]) => name !== 'mark'));
}
