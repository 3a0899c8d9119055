// The page that somebody asked for and signs in to see: one of ours, or none. It stands in an address, so anybody may
// have written it.

import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';

const LONGEST = 1_000;
const ORIGIN = 'http://here';

export function ownPath(text: string): string | undefined {
  if (text.length > LONGEST || !/^\/(console|account)(?![^/?])/.test(text) || !URL.canParse(text, ORIGIN))
    return undefined;
  const { pathname, search } = new URL(text, ORIGIN);
  // What a browser would read in another way is none of ours.
  if (pathname + search !== text || pathname.endsWith('.json')) return undefined;
  const isPlain = (part: string) => maskCardNumbers(decoded(part)) === decoded(part);
  if (!isPlain(pathname)) return undefined;
  return isPlain(search) ? text : pathname;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
