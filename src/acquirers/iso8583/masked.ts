// Messages as they may be shown: fields that the dialect lists as harmless, of the card number a part, of all else only
// how long it is.

import { maskCardNumber } from '../../domain/card/card.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import type { TraceLine } from '../acquirer.ts';
import { type Dialect, FIELD, type IsoMessage } from './dialect.ts';

export function maskedMessage({ shown, fields: formats }: Dialect, { mti, fields }: IsoMessage): string {
  const harmless = new Set(shown);
  const parts = Object.entries(fields).map(([field, value]) => {
    if (Number(field) === FIELD.cardNumber) return `${field}=${maskCardNumber(value)}`;
    if (!harmless.has(Number(field))) return `${field}=[${value.length}]`;
    // A host may put anything in a text.
    const text = value.trimEnd().replaceAll(/[^\x20-\x7e]/g, '?');
    return `${field}=${formats[Number(field)]?.content === 'ans' ? maskCardNumbers(text) : text}`;
  });
  return [mti, ...parts].join(' ');
}

const KEPT = 200;

/** The latest messages. */
export class HostTrace {
  readonly #lines: TraceLine[] = [];

  add(line: TraceLine): void {
    this.#lines.push(line);
    if (this.#lines.length > KEPT) this.#lines.shift();
  }

  lines(): readonly TraceLine[] {
    return [...this.#lines];
  }
}
