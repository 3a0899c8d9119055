// Several commands for one order: decided one after the other, each on the last result, and written as one change.

import { Refusal } from '../../domain/errors.ts';
import type { LedgerEntry } from '../../domain/money/ledger.ts';
import { changeBy } from '../../domain/order/change.ts';
import type { Command, Moment, OrderEvent } from '../../domain/order/decide.ts';
import type { Order } from '../../domain/order/order.ts';
import type { BeginMarks, OrderChange } from '../../storage/store.ts';

type AskedCommand = { readonly command: Command; readonly marks: BeginMarks | undefined };

/** What the rules said to one command: whether it moved the order, or a refusal, if the change is written. */
type Verdict<Asked> = { readonly asked: Asked; readonly moved: boolean; readonly refusal: Refusal | undefined };

export type DecidedTogether<Asked> = { readonly change: OrderChange; readonly verdicts: readonly Verdict<Asked>[] };

export function decideTogether<Asked extends AskedCommand>(
  before: Order,
  commands: readonly Asked[],
  moment: Moment,
): DecidedTogether<Asked> {
  let after = before;
  const events: OrderEvent[] = [];
  const entries: LedgerEntry[] = [];
  const begins = new Map<string, BeginMarks>();
  const verdicts = commands.map((asked): Verdict<Asked> => {
    const change = changeBy(after, asked.command, moment);
    if (change instanceof Refusal) return { asked, moved: false, refusal: change };
    after = change.after;
    entries.push(...change.entries);
    for (const event of change.events) {
      events.push(event);
      if (event.type === 'transaction-begun' && asked.marks) begins.set(event.transaction.requestSerial, asked.marks);
    }
    return { asked, moved: change.events.length > 0, refusal: undefined };
  });
  return { change: { before, after, events, entries, begins }, verdicts: verdicts.map(movedLast) };
}

/** Only the last command that moved a transaction counts as moving it, or two callers would go on with it. */
function movedLast<Asked extends AskedCommand>(
  verdict: Verdict<Asked>,
  index: number,
  all: readonly Verdict<Asked>[],
): Verdict<Asked> {
  const { command } = verdict.asked;
  if (!verdict.moved || !('seq' in command)) return verdict;
  const isOvertaken = all.slice(index + 1).some(({ asked: { command: later }, moved }) => {
    return moved && 'seq' in later && later.seq === command.seq;
  });
  return isOvertaken ? { ...verdict, moved: false } : verdict;
}
