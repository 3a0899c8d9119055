// The list of connectors, and the simulated bank, which is also a program of its own.

import type { Clock } from '../domain/clock.ts';
import type { Connector } from './connector.ts';
import * as listed from './connectors.ts';
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
export { bankFaults, clearBank, readBooks, readSettlement, returnPayoutAt } from './simulator/http-line.ts';
export { returnNotice } from './simulator/return-notice.ts';
export { type ClearingSummary, type SettlementLine, settlementFile } from './simulator/settlement.ts';
export type { SimulatorLine } from './simulator/simulator.ts';
export { readBookEntry, readFaults, writeEntry } from './simulator/wire.ts';

/** All of them; adding one is its folder and its line in connectors.ts. */
export const connectors: readonly Connector[] = Object.values(listed);

/** The simulated bank, which a gateway also has inside. */
export const simulatedBank: Connector = listed.simulatorConnector;

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
