// The list of acquirers: only this file names the connectors.

import type { Clock } from '../domain/clock.ts';
import type { Connector } from './connector.ts';
import type { Bank } from './simulator/bank.ts';
import { lineTo } from './simulator/bank-line.ts';
import { httpLine } from './simulator/http-line.ts';
import { type SimulatorLine, simulator } from './simulator/simulator.ts';

export { type Bank, openBank, type TakeLock } from './simulator/bank.ts';
export { type RunningBank, startBank } from './simulator/bank-server.ts';
export type { BookEntry } from './simulator/book-entry.ts';
export type { CutOff } from './simulator/cut-off.ts';
export { readScript, SCRIPT_WORDS } from './simulator/fault-script.ts';
export { type Faults, NO_BANK_FAULTS } from './simulator/faults.ts';
export { bankFaults, clearBank, readBooks, readSettlement } from './simulator/http-line.ts';
export { type ClearingSummary, type SettlementLine, settlementFile } from './simulator/settlement.ts';
export type { SimulatorLine } from './simulator/simulator.ts';
export { readBookEntry, readFaults, writeEntry } from './simulator/wire.ts';

/** What the simulated bank does. */
export const simulatedBank: Pick<Connector, 'does' | 'partial' | 'inquiry' | 'needsCard'> = {
  does: ['sale', 'preauth', 'pull', 'verification', 'capture', 'cancel', 'void', 'refund', 'push', 'eligibility'],
  partial: ['capture', 'cancel', 'refund'],
  inquiry: 'message',
  needsCard: false,
};

/** Where the simulated bank runs: in this process, or at a URL. */
export type AcquirerSettings = ({ readonly bank: Bank } | { readonly url: string }) & {
  readonly sendTimeoutMs?: number;
  readonly askTimeoutMs?: number;
};

export function openAcquirer(settings: AcquirerSettings, clock: Clock): SimulatorLine {
  const { sendTimeoutMs, askTimeoutMs } = settings;
  const line = 'url' in settings ? httpLine(settings.url) : lineTo(settings.bank);
  return simulator({ line, clock, sendTimeoutMs, askTimeoutMs });
}
