// What a command changes about an order: its events, the order after them, and the ledger entries they book.

import { Refusal } from '../errors.ts';
import { entriesOf, type LedgerEntry } from '../money/ledger.ts';
import { type Command, decide, evolve, type Moment, type OrderEvent } from './decide.ts';
import type { Order } from './order.ts';

export type Change = {
  readonly after: Order;
  /** None when the command changes nothing. */
  readonly events: readonly OrderEvent[];
  readonly entries: readonly LedgerEntry[];
};

export function changeBy(before: Order, command: Command, moment: Moment): Change | Refusal {
  const events = decide(before, command, moment);
  if (events instanceof Refusal) return events;
  let after = before;
  const entries: LedgerEntry[] = [];
  for (const event of events) {
    after = evolve(after, event);
    entries.push(...entriesOf(after, event));
  }
  return { after, events, entries };
}
