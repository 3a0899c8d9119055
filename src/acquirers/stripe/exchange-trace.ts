// The latest exchanges with Stripe, as they may be shown. Only values that are listed as harmless are written out; of
// every other field its name alone is kept, so that no card number, code, key or name of a person can slip through.

import { maskCardNumbers } from '../../domain/card/card.ts';
import type { Clock } from '../../domain/clock.ts';
import { shortened } from '../../domain/text.ts';
import type { TraceLine } from '../acquirer.ts';
import { type FormFields, flatFields } from './form-fields.ts';
import { type StripeObject, textAt } from './stripe-object.ts';

const MAX_EXCHANGES = 50;
const MAX_LINE = 500;

const SHOWN =
  /^(amount|amount_to_capture|currency|capture_method|confirm|off_session|error_on_requires_action|usage|setup_future_usage|payment_intent|payment_method|limit|query|type|expand\[\]|payment_method_types\[\]|metadata\[\w+\]|payment_method_options\[card\]\[three_d_secure\]\[(version|ares_trans_status|electronic_commerce_indicator)\])$/;

export class ExchangeTrace {
  readonly #clock: Clock;
  #lines: TraceLine[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  asked(method: string, path: string, fields: FormFields): void {
    const shown = flatFields(fields).map(([name, value]) => `${name}=${SHOWN.test(name) ? value : '…'}`);
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
