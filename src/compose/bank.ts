// The simulated bank: inside a gateway, in a process of its own, or only its books.

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import {
  type AcquirerSettings,
  type Bank,
  type BookEntry,
  bankFaults,
  clearBank,
  type Faults,
  openBank,
  type RunningBank,
  readBooks,
  readFaults,
  readSettlement,
  returnPayoutAt,
  settlementFile,
  startBank,
  writeEntry,
} from '../acquirers/index.ts';
import { without } from '../administration/bank.ts';
import type { BankOffice } from '../administration/parts.ts';
import { OutOfReach } from '../administration/verb/invalid-input.ts';
import { type Clock, systemClock } from '../domain/clock.ts';
import type { BankJournalLine } from '../domain/money/reconciliation.ts';
import type { ProgressWatch } from '../domain/progress-text.ts';
import { takeLock } from '../storage/embedded/lock-file.ts';
import { makeFolder } from '../storage/embedded/make-folder.ts';
import type { Settings } from './settings.ts';

/** The bank that a gateway uses: in a process of its own, or in this process and closed with the gateway. */
export type BankOf = {
  readonly place: { readonly url: string } | { readonly bank: Bank };
  readonly office: BankOffice;
  close(): Promise<void>;
};

export async function openBankOf(settings: Settings, clock: Clock, watch?: ProgressWatch): Promise<BankOf> {
  const { bankUrl, bankCutOff, bankFaults: faults, dataFolder, inMemory } = settings;
  if (bankUrl !== undefined) {
    if (faults) throw new Error('--bank-faults is for the bank inside the gateway; give its faults to "tender bank"');
    return { place: { url: bankUrl }, office: officeAt(bankUrl), close: async () => {} };
  }
  const bank = await openBank({
    clock,
    cutOff: bankCutOff,
    faults,
    watch,
    books: inMemory ? 'memory' : { folder: bankFolder(dataFolder), takeLock },
  });
  const office = {
    clear: () => bank.clear(),
    returnPayout: async (reference: string) => (await bank.reverse(reference)).word === 'reversed',
    settlement: (date: string) => settlementFile(bank.settlement(date)),
    journal: (from: number) => journalLines(bank.entries(from)),
    books: () => bookLines(bank.entries()),
    faults: async (given?: string) => {
      if (given !== undefined) bank.faults.set(readFaults(given));
      return JSON.stringify(bank.faults.faults);
    },
  };
  return { place: { bank }, office, close: () => bank.close() };
}

function officeAt(url: string): BankOffice {
  const failed = (error: NodeJS.ErrnoException): never => {
    // Only errors that the system reports of a connection have a code.
    if (error.code === undefined) throw error;
    throw new OutOfReach(`the gateway cannot reach the bank at ${new URL(url).origin}`, { cause: error });
  };
  async function* reached<T>(lines: AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* lines;
    } catch (error) {
      failed(error as Error);
    }
  }
  return {
    clear: () => clearBank(url).catch(failed),
    returnPayout: (reference) => returnPayoutAt(url, reference).catch(failed),
    settlement: (date) => reached(readSettlement(url, date)),
    journal: (from) => reached(journalLines(without(readBooks(url), from))),
    books: () => reached(bookLines(readBooks(url))),
    faults: (given) => bankFaults(url, given).catch(failed),
  };
}

export function bankSettings({ acquirerTimeoutMs }: Settings, { place }: BankOf): AcquirerSettings {
  if (acquirerTimeoutMs === undefined) return place;
  return { ...place, sendTimeoutMs: acquirerTimeoutMs, askTimeoutMs: acquirerTimeoutMs };
}

/** The simulated bank on its own, on the books it would have inside a gateway with this data folder. */
export async function startBankAlone(options: BankAloneOptions): Promise<RunningBank> {
  const { dataFolder, bankCutOff: cutOff, ...rest } = options;
  const folder = bankFolder(dataFolder);
  await makeFolder(folder);
  return startBank({ ...rest, cutOff, clock: systemClock, books: { folder, takeLock } });
}

export type BankAloneOptions = Pick<Settings, 'host' | 'port' | 'dataFolder' | 'bankCutOff'> & {
  readonly faults: Partial<Faults>;
  readonly password?: string | undefined;
  readonly watch?: ProgressWatch;
};

export function bankFolder(dataFolder: string): string {
  return join(dataFolder, 'bank');
}

/** The journal of the bank inside a gateway that does not run. */
export async function* openJournal(dataFolder: string): AsyncGenerator<BookEntry> {
  const folder = bankFolder(resolve(dataFolder));
  if (!existsSync(folder)) throw new Error(`there are no books of a bank in ${folder}; name its address with --url`);
  // Opening the bank to look at its books must not clear anything.
  const bank = await openBank({ clock: systemClock, cutOff: 'never', books: { folder, takeLock } });
  try {
    yield* bank.entries();
  } finally {
    await bank.close();
  }
}

async function* journalLines(entries: AsyncIterable<BookEntry>): AsyncGenerator<string> {
  for await (const entry of entries) yield writeEntry(entry);
}

/** A book's entry as reconciliation reads it. */
async function* bookLines(entries: AsyncIterable<BookEntry>): AsyncGenerator<BankJournalLine> {
  for await (const { reference, kind, outcome, amount } of entries) {
    yield { reference, kind, outcome, minor: amount.minor, currency: amount.currency };
  }
}
