// What a single process has inside and several must share: the simulated bank and, in a sandbox, the simulated card
// networks. Whoever starts the workers runs them on this machine, and the workers reach them as they reach others.

import { randomBytes } from 'node:crypto';
import { systemClock } from '../../domain/clock.ts';
import { startNetworks } from '../../threeds/index.ts';
import { startBankAlone } from '../bank.ts';
import type { Settings } from '../settings.ts';

const HERE = { host: '127.0.0.1', port: 0 };

export type SharedOutside = {
  /** Where they are. */
  readonly settings: Pick<Settings, 'bankUrl' | 'networksUrl'>;
  close(): Promise<void>;
};

/** Starts those that the settings name no address of. */
export async function startSharedOutside(settings: Settings): Promise<SharedOutside> {
  const { mode, bankUrl, bankCutOff, bankFaults: faults = {}, networksUrl, dataFolder } = settings;
  // Inside a single process nobody else of this machine could command it. A sandbox shows its bank to everybody.
  const password = mode === 'production' ? randomBytes(24).toString('hex') : undefined;
  const asked = { ...HERE, dataFolder, bankCutOff, faults, password };
  const bank = bankUrl === undefined ? await startBankAlone(asked) : undefined;
  const hasNetworks = networksUrl === undefined && mode === 'sandbox';
  const networks = hasNetworks ? await startNetworks({ ...HERE, clock: systemClock }) : undefined;
  return {
    settings: { bankUrl: bank ? knowing(bank.url, password) : bankUrl, networksUrl: networks?.url ?? networksUrl },
    close: async () => {
      await networks?.close();
      await bank?.close();
    },
  };
}

/** Requests to an address with a password send it; the address is told to the workers alone. */
function knowing(url: string, password: string | undefined): string {
  const known = new URL(url);
  if (password !== undefined) [known.username, known.password] = ['worker', password];
  return known.href;
}
