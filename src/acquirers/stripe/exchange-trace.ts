// The latest exchanges with Stripe, as they may be shown. Only values that are listed as harmless are written out; of
// every other field its name alone is kept, so that no card number, code, key or name of a person can slip through.

import { maskCardNumbers } from '../../domain/card/numbers-in-text.ts';
import type { Clock } from '../../domain/clock.ts';
import { shortened } from '../../domain/text.ts';
import type { TraceLine } from '../acquirer.ts';
import { type FormFields, flatFields } from './form-fields.ts';
import { type StripeObject, textAt } from './stripe-object.ts';

const MAX_EXCHANGES = 50;
const MAX_LINE = 500;

/** Fields whose values may be seen. */
const HARMLESS: ReadonlySet<string> = new Set([
  ...['amount', 'amount_to_capture', 'currency', 'capture_method', 'payment_method_types[]', 'usage', 'type'],
  ...['payment_method', 'off_session', 'error_on_requires_action', 'setup_future_usage'],
  ...['payment_intent', 'limit', 'query', 'expand[]'],
  ...['metadata[reference]', 'metadata[capture]', 'metadata[reversal]', 'metadata[reversed]'],
]);

export class ExchangeTrace {
  readonly #clock: Clock;
  #lines: TraceLine[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  asked(method: string, path: string, fields: FormFields): void {
    const shown = flatFields(fields).map(([name, value]) => `${name}=${HARMLESS.has(name) ? value : '…'}`);
    this.#add('out', [method, path, ...shown].join(' '));
  }

  answered(status: number, body: StripeObject | undefined, requestId: string | undefined): void {
    const error = body?.error;
    const said = [
      ...[textAt(body, 'object'), textAt(body, 'id'), textAt(body, 'status')],
      ...[textAt(error, 'type'), textAt(error, 'code'), textAt(error, 'decline_code'), textAt(error, 'param')],
      requestId,
    ];
    this.#add('in', [status, ...said.filter((one) => one !== undefined)].join(' '));
  }

  failed(reason: string): void {
    this.#add('in', reason);
  }

  /** Oldest first. */
  lines(): readonly TraceLine[] {
    return this.#lines;
  }

  #add(direction: TraceLine['direction'], text: string): void {
    const line = { at: this.#clock.now(), direction, text: shortened(maskCardNumbers(text), MAX_LINE) };
    this.#lines = [...this.#lines, line].slice(-2 * MAX_EXCHANGES);
  }
}
