// The simulated bank of a running gateway, as an operator reaches it: the end of its day, and what was cleared for a day.

import type { AdministrationParts } from './administration.ts';
import { type Given, OutOfReach, shown, Unfit } from './given.ts';
import type { BankOffice, ClearedDay } from './parts.ts';

/** A part of a settlement file; `next` is the line the next part begins with. */
export type SettlementPart = { readonly lines: readonly string[]; readonly next: number | null };

const PART_LINES = 10_000;

export function bankVerbs({ bank, mode }: AdministrationParts) {
  return {
    async showBankFaults(_given: Given): Promise<unknown> {
      return JSON.parse(await present(bank).faults());
    },

    /** Exactly the given faults come into force. */
    async setBankFaults({ faults }: Given): Promise<unknown> {
      if (mode === 'production') throw new Unfit('a bank misbehaves on purpose only in a sandbox');
      try {
        return JSON.parse(await present(bank).faults(JSON.stringify(faults ?? {})));
      } catch (error) {
        const isTold = error instanceof Unfit || error instanceof OutOfReach;
        throw isTold ? error : new Unfit(`the bank refuses: ${(error as Error).message}`);
      }
    },

    async clearBank(_given: Given): Promise<ClearedDay> {
      return present(bank).clear();
    },

    async readSettlement(given: Given): Promise<SettlementPart> {
      const from = fromOf(given);
      const lines: string[] = [];
      let index = 0;
      for await (const line of present(bank).settlement(dateOf(given))) {
        if (index++ < from) continue;
        if (lines.length === PART_LINES) return { lines, next: index - 1 };
        lines.push(line);
      }
      return { lines, next: null };
    },
  };
}

/** The bank, when a gateway runs that has one. */
export function present(bank: BankOffice | undefined): BankOffice {
  if (bank) return bank;
  throw new Unfit('no gateway runs here, so there is no bank; start it, or name a bank of its own with --url');
}

function dateOf({ date }: Given): string {
  if (typeof date === 'string' && /^\d{4}-\d{2}-\d{2}$/.test(date) && !Number.isNaN(Date.parse(date))) return date;
  throw new Unfit(`date: a day such as 2027-01-31 is needed, not ${shown(date)}`);
}

function fromOf({ from = 0 }: Given): number {
  if (Number.isSafeInteger(from) && (from as number) >= 0) return from as number;
  throw new Unfit(`from: the number of a line is needed, not ${shown(from)}`);
}
