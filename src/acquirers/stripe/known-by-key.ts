// How long an instruction is known by its key. Stripe keeps keys for at least 24 hours; afterwards the same request
// would be carried out anew, so whatever is older is looked for by our reference instead of being repeated.

import type { Clock } from '../../domain/clock.ts';
import type { Circumstances } from '../acquirer.ts';
import { type Intent, PAYMENTS, readIntent } from './intent.ts';
import { refusalOf } from './judgement.ts';
import type { StripeReply, StripeSilence, Talk } from './stripe-line.ts';
import { listAt } from './stripe-object.ts';

const HOUR_MS = 60 * 60 * 1000;

/** An hour less than Stripe promises. */
const KEY_LIFE_MS = 23 * HOUR_MS;

export function isKnownByKey({ trace }: Pick<Circumstances, 'trace'>, clock: Clock): boolean {
  return clock.now() - trace.at < KEY_LIFE_MS;
}

/**
 * The payment with this reference in Stripe's search, which lags behind: undefined does not mean that there is none.
 * A search that failed is given back as it was heard.
 */
export async function searchPayment(
  talk: Talk,
  reference: string,
): Promise<{ readonly intent: Intent | undefined } | { readonly failed: StripeReply | StripeSilence }> {
  const quoted = reference.replaceAll(/[\\']/g, '\\$&');
  const fields = { query: `metadata['reference']:'${quoted}'` };
  const heard = await talk({ method: 'GET', path: `${PAYMENTS.path}/search`, fields });
  if (!heard.heard || refusalOf(heard)) return { failed: heard };
  const found = listAt(heard.body, 'data').map((one) => readIntent(one, PAYMENTS));
  return { intent: found.find((intent) => intent?.reference === reference) };
}
