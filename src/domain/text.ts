// Texts from outside: read without fear and told back, never at any length and never with half a character.

import { maskCardNumbers } from './card/card.ts';

const ELLIPSIS = '…';
const MAX_SHOWN = 40;

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

/** What was given, safe to repeat on one line. */
export function shown(value: unknown): string {
  const line = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replaceAll(/\p{Cc}/gu, ' ');
  return `"${shortened(maskCardNumbers(line), MAX_SHOWN)}"`;
}
