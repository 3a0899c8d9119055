// A request as who watches a sandbox sees it: what was asked, about which order, and what came of it.

import { maskCardNumbers } from '../domain/card/numbers-in-text.ts';
import { shortened } from '../domain/text.ts';
import type { Seen } from '../telemetry/seen.ts';
import type { Journaled } from './journal-entry.ts';

const LONGEST_OUTCOME = 160;

export function seenRequest({ at, operation, outcome, milliseconds }: Journaled): Seen {
  const { status: httpStatus, reply } = outcome;
  const told = reply as Readonly<Record<string, unknown>>;
  const orderId = told['paynet-order-id'];
  return {
    ...{ kind: 'request', at, operation: operation?.name, httpStatus, milliseconds },
    orderId: typeof orderId === 'string' || typeof orderId === 'number' ? String(orderId) : undefined,
    outcome: shortened(maskCardNumbers(outcomeIn(told)), LONGEST_OUTCOME),
  };
}

function outcomeIn(told: Readonly<Record<string, unknown>>): string {
  const { status, 'error-message': message, 'error-code': code } = told;
  const said = [typeof status === 'string' ? status : undefined];
  if (typeof message === 'string' && message !== '') said.push(`${String(code ?? '')} ${message}`.trim());
  return said.filter(Boolean).join(': ') || 'answered';
}
