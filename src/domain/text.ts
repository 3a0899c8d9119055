// Texts from outside, made safe to read and to repeat: never too long and never with half a character.

import { maskCardNumbers } from './card/numbers-in-text.ts';

const ELLIPSIS = '…';
const MAX_SHOWN = 40;

/** The text, cut to its first characters when it is too long. */
export function shortened(text: string, most: number): string {
  return text.length <= most ? text : wellFormed(text.slice(0, most)) + ELLIPSIS;
}

/** Decodes percent-encoded text; undefined when it is malformed. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** Removes halves of surrogate pairs, which cutting leaves and which no encoding takes. */
export function wellFormed(text: string): string {
  return text.replace(/\p{Surrogate}/gu, '');
}

/** What was given, safe to repeat on one line. */
export function shown(value: unknown): string {
  const line = (typeof value === 'string' ? value : (JSON.stringify(value) ?? 'nothing')).replaceAll(/\p{Cc}/gu, ' ');
  return `"${shortened(maskCardNumbers(line), MAX_SHOWN)}"`;
}

/**
 * What a terminal would obey, or show in another order than it is written, as its code: `\u001b`, `\u202e`. Line ends
 * and tabs stay. JSON means the same afterwards.
 */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const UNSEEN = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
