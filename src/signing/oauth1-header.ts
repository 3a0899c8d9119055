// The header `Authorization: OAuth name="value", …` (RFC 5849, 3.5.1): quoted, percent-encoded, separated by commas
// with or without spaces. `realm` may stand anywhere and has no meaning here.

import { percentDecoded, shortened } from '../domain/text.ts';

/** The decoded OAuth parameters of a header by name, or what is wrong with the header. */
export type ReadHeader = ReadonlyMap<string, string> | { readonly malformed: string };

const SCHEME = /^[ \t]*OAuth[ \t]+/i;
const PAIR = /[ \t]*([!#-+\--<>-~]+)[ \t]*=[ \t]*"((?:[^"\\]|\\.)*)"[ \t]*(,|$)/y;
/** Printable ASCII; whatever else a value holds must be percent-encoded. */
const ENCODED = /^[!-~]*$/;

export function readOAuthHeader(header: string): ReadHeader {
  const scheme = SCHEME.exec(header);
  if (!scheme) return { malformed: 'it must begin with the word OAuth' };
  const parameters = new Map<string, string>();
  let isRealmRead = false;
  for (let place = scheme[0].length, separator = ','; separator === ','; ) {
    PAIR.lastIndex = place;
    const match = PAIR.exec(header);
    if (!match) return { malformed: 'write name="value" pairs with commas between them' };
    const [whole, rawName = '', rawValue = '', end = ''] = match;
    place += whole.length;
    separator = end;
    if (rawName.toLowerCase() === 'realm') {
      if (isRealmRead) return { malformed: 'realm occurs more than once' };
      isRealmRead = true;
      continue;
    }
    const name = decode(rawName);
    if (!name?.startsWith('oauth_')) return { malformed: 'only realm and oauth_ parameters belong in it' };
    const value = decode(rawValue);
    if (value === undefined) return { malformed: `the value of ${shortened(name, 40)} is not percent-encoded` };
    if (parameters.has(name)) return { malformed: `${shortened(name, 40)} occurs more than once` };
    parameters.set(name, value);
  }
  return parameters;
}

/** A plus sign stands for itself here, unlike in a form. */
function decode(text: string): string | undefined {
  return ENCODED.test(text) && !text.includes('\\') ? percentDecoded(text) : undefined;
}
