// The latest messages to and from the provider, as they may be shown: chosen fields only, card numbers masked, and
// never a code, a key, a signature or an address that a payer is sent to.

import { maskCardNumber } from '../../domain/card/card.ts';
import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import type { Clock } from '../../domain/clock.ts';
import { shortened } from '../../domain/text.ts';
import type { TraceLine } from '../acquirer.ts';
import type { HeardBack } from './heard.ts';
import type { LineReply } from './provider-line.ts';

const MAX_LINES = 200;
const MAX_TEXT = 500;

const SHOWN_SENT: ReadonlySet<string> = new Set([
  'login',
  'client_orderid',
  'client-order-id',
  'orderid',
  'amount',
  'currency',
  'cardrefid',
  'return_type',
  'comment',
  'by-request-sn',
  'rp_card_type',
]);

const CARD_NUMBERS: ReadonlySet<string> = new Set([
  'credit_card_number',
  'sending-card-number',
  'receiving-card-number',
]);

const SHOWN_HEARD = [
  'type',
  'serial-number',
  'paynet-order-id',
  'recurring-payment-id',
  'transaction-type',
  'status',
  'amount',
  'currency',
  'approval-code',
  'processor-rrn',
  'error-code',
  'error-message',
] as const;

export class MessageTrace {
  readonly #clock: Clock;
  readonly #lines: TraceLine[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  sent(path: string, fields: readonly (readonly [string, string])[]): void {
    const shown = fields.flatMap(([name, value]) => {
      if (SHOWN_SENT.has(name)) return [`${name}=${value}`];
      return CARD_NUMBERS.has(name) ? [`${name}=${maskCardNumber(value)}`] : [];
    });
    this.#add('out', ['POST', path, ...shown].join(' '));
  }

  heard(line: LineReply, heard: HeardBack): void {
    const status = line.end === 'reply' ? [`HTTP ${line.status}`] : [];
    this.#add('in', [...status, ...wordsOf(heard)].join(' '));
  }

  noticed(text: string): void {
    this.#add('in', text);
  }

  /** Oldest first. */
  get lines(): readonly TraceLine[] {
    return [...this.#lines];
  }

  #add(direction: TraceLine['direction'], text: string): void {
    this.#lines.push({ at: this.#clock.now(), direction, text: shortened(maskCardNumbers(text), MAX_TEXT) });
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }
}

function wordsOf(heard: HeardBack): string[] {
  switch (heard.word) {
    case 'replied':
      return SHOWN_HEARD.flatMap((name) => {
        const value = heard.reply[name];
        return value === undefined ? [] : [`${name}=${value}`];
      });
    case 'refused':
      return [`refused with error ${heard.code}: ${heard.message}`];
    default:
      return [`${heard.word}: ${heard.reason}`];
  }
}
