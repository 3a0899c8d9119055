// Texts from outside, told back: never at any length, and never with half a character.

const ELLIPSIS = '…';

/** The first characters of a text that is too long, as they are if it is not. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : whole(text.slice(0, most)) + ELLIPSIS;
}

/** Without halves of surrogate pairs, which cutting leaves and which no encoding takes. */
export function whole(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}
