// What a gateway talks to: the bank through its connector, and the card networks.

import { openAcquirer } from '../acquirers/index.ts';
import type { Clock } from '../domain/clock.ts';
import type { NetworkConnection } from '../domain/three-d-secure/card-network.ts';
import { CardNetworks } from '../processing/three-d-secure/card-networks.ts';
import { httpDirectory, startNetworks } from '../threeds/index.ts';
import { ISSUERS_PATH } from '../web/three-d-secure/issuers-route.ts';
import { bankSettings, openBankOf } from './bank.ts';
import { brandDirectory } from './brand-directory.ts';
import type { Addresses, PartOptions } from './part-options.ts';
import { type NetworkFaultsOffice, networkFaultsAt, networkFaultsOf } from './sandbox/sandbox-office.ts';
import type { Settings } from './settings.ts';
import type { StorageParts } from './storage-parts.ts';

export type OutsideParts = Awaited<ReturnType<typeof openOutsideParts>>;

export async function openOutsideParts(
  { settings, surroundings, clock, addresses, opened }: PartOptions,
  { configuration }: Pick<StorageParts, 'configuration'>,
) {
  const bank = await openBankOf(settings, clock, surroundings.watchesStart);
  opened.push(() => bank.close());
  const acquirer = openAcquirer(bankSettings(settings, bank), clock);
  opened.push(() => acquirer.close());
  const general = await openGeneralNetwork(settings, clock, addresses);
  opened.push(() => general.close());
  const open = (connection: NetworkConnection) => brandDirectory(connection, clock);
  const networks = new CardNetworks({ clock, configuration, general: general.server, open });
  opened.push(() => networks.close());
  const close = async () => {
    await acquirer.close();
    await networks.close();
    await general.close();
    await bank.close();
  };
  const { faults: networkFaults, issuers } = general;
  return { bankOffice: bank.office, networkFaults, issuers, acquirer, networks, close };
}

const noFaults: NetworkFaultsOffice = () => Promise.reject(new Error('there are no simulated networks'));

/** The directory server of all brands without their own: in a process of its own, or simulated and closed with us. */
async function openGeneralNetwork({ networksUrl, mode }: Settings, clock: Clock, addresses: Addresses) {
  if (networksUrl === undefined && mode === 'production')
    return { server: undefined, faults: noFaults, issuers: undefined, close: async () => {} };
  const options = {
    clock,
    publicUrl: () => addresses.announced + ISSUERS_PATH,
    resultsUrl: () => `${addresses.localBase}/3ds/results`,
    asReached: (url: string) => addresses.asReached(url),
  };
  const simulated = networksUrl === undefined ? await startNetworks(options) : undefined;
  const server = httpDirectory({ url: networksUrl ?? (simulated?.url as string), clock });
  const close = async () => {
    await server.close();
    await simulated?.close();
  };
  const faults = simulated ? networkFaultsOf(simulated) : networkFaultsAt(networksUrl as string);
  return { server, faults, issuers: simulated?.payerPages, close };
}
