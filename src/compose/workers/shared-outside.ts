// What a single process has inside and several must share: the simulated bank and, in a sandbox, the simulated card
// networks. Whoever starts the workers runs them on this machine, and the workers reach them as they reach others.

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
  const bank = bankUrl === undefined ? await startBankAlone({ ...HERE, dataFolder, bankCutOff, faults }) : undefined;
  const hasNetworks = networksUrl === undefined && mode === 'sandbox';
  const networks = hasNetworks ? await startNetworks({ ...HERE, clock: systemClock }) : undefined;
  return {
    settings: { bankUrl: bank?.url ?? bankUrl, networksUrl: networks?.url ?? networksUrl },
    close: async () => {
      await networks?.close();
      await bank?.close();
    },
  };
}
