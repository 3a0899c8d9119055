// Texts from outside: read without fear and told back, never at any length and never with half a character.

const ELLIPSIS = '…';

/** The first characters of a text that is too long, as they are if it is not. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : wellFormed(text.slice(0, most)) + ELLIPSIS;
}

/** Percent-encoded text; undefined when it is not. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Without halves of surrogate pairs, which cutting leaves and which no encoding takes. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}
