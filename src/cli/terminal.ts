// Words for people: bold and dim where a terminal shows them, plain text everywhere else.

import { visible } from '../domain/text.ts';

export type Style = { bold(text: string): string; dim(text: string): string };

const PLAIN: Style = { bold: (text) => text, dim: (text) => text };

const ANSI: Style = {
  bold: (text) => `\u001b[1m${text}\u001b[22m`,
  dim: (text) => `\u001b[2m${text}\u001b[22m`,
};

export function styleOf(stream: { readonly isTTY?: boolean }): Style {
  const wanted = process.env.NO_COLOR === undefined || process.env.NO_COLOR === '';
  return stream.isTTY === true && wanted && process.env.TERM !== 'dumb' ? ANSI : PLAIN;
}

/** Texts of merchants, payers and banks may be in it, so it tells the terminal nothing. */
export function say(text: string): void {
  process.stdout.write(`${visible(text)}\n`);
}

/** Only our own words, which may be bold or dim. */
export function sayStyled(text: string): void {
  process.stdout.write(`${text}\n`);
}
