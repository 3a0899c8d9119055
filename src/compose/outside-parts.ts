// What a gateway talks to: the bank through its connector, and the card networks.

import { openAcquirer } from '../acquirers/index.ts';
import type { Clock } from '../domain/clock.ts';
import { httpDirectory, startNetworks } from '../threeds/index.ts';
import { bankSettings, openBankOf } from './bank.ts';
import type { PartOptions } from './part-options.ts';
import type { Settings } from './settings.ts';

export type OutsideParts = Awaited<ReturnType<typeof openOutsideParts>>;

export async function openOutsideParts({ settings, clock, opened }: PartOptions) {
  const bank = await openBankOf(settings, clock);
  opened.push(() => bank.close());
  const acquirer = openAcquirer(bankSettings(settings, bank), clock);
  opened.push(() => acquirer.close());
  const networks = await openNetworks(settings, clock);
  opened.push(() => networks.close());
  const close = async () => {
    await acquirer.close();
    await networks.close();
    await bank.close();
  };
  return { bankOffice: bank.office, acquirer, directoryServer: networks.server, close };
}

/** The card networks' directory server: in a process of its own, or simulated here and closed with the gateway. */
async function openNetworks({ networksUrl, mode }: Settings, clock: Clock) {
  if (networksUrl === undefined && mode === 'production') return { server: undefined, close: async () => {} };
  const simulated = networksUrl === undefined ? await startNetworks({ clock }) : undefined;
  const server = httpDirectory({ url: networksUrl ?? (simulated?.url as string), clock });
  const close = async () => {
    await server.close();
    await simulated?.close();
  };
  return { server, close };
}
