// What a sandbox has to play with, put together.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { returnNotice } from '../../acquirers/index.ts';
import type { SandboxOffice } from '../../administration/parts.ts';
import { OutOfReach } from '../../administration/verb/invalid-input.ts';
import type { ListenerDesk } from '../../domain/order/handed-callbacks.ts';
import { demoIn } from '../../processing/node/demo.ts';
import type { LiveConfiguration } from '../../processing/node/live-configuration.ts';
import type { SandboxClock } from '../../processing/sandbox/clock-mover.ts';
import { DemoClient } from '../../processing/sandbox/demo-client.ts';
import type { BankNotices } from '../../processing/terminals/bank-notices.ts';
import { NETWORK_FAULTS, type RunningNetworks, TEST_CARDS, whyNotFaults } from '../../threeds/index.ts';
import type { PartOptions } from '../part-options.ts';

const WAIT_MS = 10_000;

/** Reads or sets the faults of the simulated networks, here or at their address. */
export type NetworkFaultsOffice = SandboxOffice['networkFaults'];

export function networkFaultsOf(networks: RunningNetworks): NetworkFaultsOffice {
  return async (given) => {
    if (given !== undefined) {
      const faults = JSON.parse(given);
      const why = whyNotFaults(faults);
      if (why !== undefined) throw new Error(why);
      networks.faults.set(faults);
    }
    return JSON.stringify(networks.faults.faults);
  };
}

export function networkFaultsAt(url: string): NetworkFaultsOffice {
  return async (given) => {
    const signal = AbortSignal.timeout(WAIT_MS);
    const call = given === undefined ? { signal } : { signal, method: 'PUT', body: given };
    const reply = await fetch(new URL('/v1/faults', url), call).catch((cause) => {
      throw new OutOfReach(`the gateway cannot reach simulated card networks at ${url}`, { cause });
    });
    const text = await reply.text();
    if (reply.ok) return text;
    throw new Error(errorIn(text) ?? 'they are not simulated ones');
  };
}

function errorIn(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text);
    return typeof error === 'string' ? error : undefined;
  } catch {
    return undefined;
  }
}

type SandboxParts = {
  readonly configuration: LiveConfiguration;
  readonly networkFaults: NetworkFaultsOffice;
  readonly sandboxClock: SandboxClock | undefined;
  readonly listeners: ListenerDesk;
  readonly bankNotices: Pick<BankNotices, 'read'>;
};

/** Undefined in production. */
export function sandboxOffice(
  { settings, clock, addresses }: PartOptions,
  { configuration, networkFaults, sandboxClock, listeners, bankNotices }: SandboxParts,
): SandboxOffice | undefined {
  const { dataFolder, mode } = settings;
  if (mode !== 'sandbox') return undefined;
  const client = new DemoClient({
    clock,
    publicUrl: () => addresses.base,
    localUrl: () => addresses.localBase,
    privateKey: () => readFile(join(dataFolder, 'demo-private-key.pem'), 'utf8'),
  });
  return {
    testCards: Object.values(TEST_CARDS).map(({ number, means }) => ({ number, means })),
    networkFaults,
    networkFaultWords: NETWORK_FAULTS,
    client: () => (demoIn(configuration) ? client : undefined),
    clock: sandboxClock,
    listeners,
    tellReturned: async (terminal, reference) =>
      (await bankNotices.read(terminal, returnNotice(reference)))?.status === 200,
    callbackUrl: () => `${addresses.localBase}/demo/`,
  };
}
