// The list of acquirers: only this file names the connectors.

import type { Clock } from '../domain/clock.ts';
import type { Acquirer } from './acquirer.ts';
import { type Bank, openBank, type TakeLock } from './simulator/bank.ts';
import { type BankLine, lineTo } from './simulator/bank-line.ts';
import type { CutOff } from './simulator/cut-off.ts';
import type { Faults } from './simulator/faults.ts';
import { httpLine } from './simulator/http-line.ts';
import { simulator } from './simulator/simulator.ts';

export { type Bank, openBank, type TakeLock } from './simulator/bank.ts';
export { type RunningBank, startBank } from './simulator/bank-server.ts';
export type { BookEntry } from './simulator/book-entry.ts';
export type { CutOff } from './simulator/cut-off.ts';
export { readScript, SCRIPT_WORDS } from './simulator/fault-script.ts';
export { type Faults, NO_BANK_FAULTS } from './simulator/faults.ts';
export { bankFaults, clearBank, readBooks, readSettlement } from './simulator/http-line.ts';
export { type ClearingSummary, type SettlementLine, settlementFile } from './simulator/settlement.ts';
export { readBookEntry, readFaults, writeEntry } from './simulator/wire.ts';

/** Where the simulated bank runs: in this process (its books in a folder or in memory, or open already) or at a URL. */
export type AcquirerSettings = (
  | ({ readonly folder: string } & OwnBankSettings)
  | ({ readonly memory: true } & OwnBankSettings)
  | { readonly bank: Bank }
  | { readonly url: string; readonly maxConnections?: number }
) & { readonly sendTimeoutMs?: number; readonly askTimeoutMs?: number };

type OwnBankSettings = { readonly faults?: Partial<Faults>; readonly holdMs?: number; readonly cutOff?: CutOff };

export type AcquirerSurroundings = { readonly clock: Clock; readonly takeLock: TakeLock };

export async function openAcquirer(settings: AcquirerSettings, surroundings: AcquirerSurroundings): Promise<Acquirer> {
  const { sendTimeoutMs, askTimeoutMs } = settings;
  const line = await openLine(settings, surroundings);
  return simulator({ line, clock: surroundings.clock, sendTimeoutMs, askTimeoutMs });
}

async function openLine(settings: AcquirerSettings, { clock, takeLock }: AcquirerSurroundings): Promise<BankLine> {
  if ('url' in settings) return httpLine(settings);
  if ('bank' in settings) return lineTo(settings.bank);
  const { faults, holdMs, cutOff } = settings;
  const books = 'folder' in settings ? { folder: settings.folder, takeLock } : 'memory';
  const bank = await openBank({ clock, books, faults, holdMs, cutOff });
  return { ...lineTo(bank), close: () => bank.close() };
}
