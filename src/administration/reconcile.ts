// What reconciliation reads: our instructions a page at a time, and the journal of the running gateway's bank.

import type { OurInstruction } from '../domain/money/reconciliation.ts';
import type { AdministrationParts } from './administration.ts';
import { present } from './bank.ts';
import { type Given, shown, textOf, Unfit } from './given.ts';

const ORDERS = 2_000;
const LINES = 10_000;

/** Whole numbers beyond JSON's travel as text. */
export type InstructionPart = {
  readonly instructions: readonly (Omit<OurInstruction, 'minor' | 'booked'> & {
    readonly minor: string;
    readonly booked: string;
  })[];
  readonly next: string | null;
};

/** Lines of the bank's journal as JSON text; `next` is the line the next part begins with. */
export type JournalPart = { readonly lines: readonly string[]; readonly next: number | null };

export function reconcileVerbs({ bank, instructions }: AdministrationParts) {
  return {
    async readInstructions(given: Given): Promise<InstructionPart> {
      const from = textOf(given, 'from', 40) ?? '0:0';
      if (!/^\d+:\d+$/.test(from)) throw new Unfit(`from: ${shown(from)} is where no page begins`);
      const [merchantId = 0, orderId = 0] = from.split(':').map(Number);
      const page = await instructions.page({ merchantId, orderId }, ORDERS);
      return {
        instructions: page.instructions.map((one) => ({
          ...one,
          minor: String(one.minor),
          booked: String(one.booked),
        })),
        next: page.last ? `${page.last.merchantId}:${page.last.orderId}` : null,
      };
    },

    async readBankJournal({ from = 0 }: Given): Promise<JournalPart> {
      const lines: string[] = [];
      let index = 0;
      for await (const line of present(bank).journal()) {
        if (index++ < Number(from)) continue;
        if (lines.length === LINES) return { lines, next: index - 1 };
        lines.push(line);
      }
      return { lines, next: null };
    },
  };
}
