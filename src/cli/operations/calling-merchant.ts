// Who a command calls an operation as: the demo merchant of the sandbox that runs here, or the merchant whose login,
// keys and gateway are given.

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from '../../domain/secret.ts';
import { isLoopback } from '../../http/admin/local-token.ts';
import { demo } from '../../processing/node/demo.ts';
import { findRunning } from '../administrator.ts';
import { Complaint, nearFolder } from '../complaint.ts';
import { readGivenText } from '../given-file.ts';
import type { CallingMerchant } from './signed-call.ts';

export type CallingValues = {
  readonly data: string;
  readonly baseUrl?: string;
  readonly endpoint?: string;
  readonly login?: string;
  readonly keyFile?: string;
  readonly privateKey?: string;
};

export type Calling = CallingMerchant & {
  /** Whether it is the demo merchant, whose keys everybody knows. */
  readonly isDemo: boolean;
  /** Whether card numbers are test numbers, so that others may see them. */
  readonly isTrial: boolean;
};

type Place = Pick<CallingMerchant, 'publicUrl' | 'calledUrl' | 'aheadMs'> & { readonly isTrial: boolean };

export async function callingMerchant(values: CallingValues): Promise<Calling> {
  const place = values.baseUrl === undefined ? await runningHere(values.data) : placeOf(values.baseUrl);
  const isDemo = values.login === undefined && values.keyFile === undefined;
  if (isDemo && !place.isTrial) {
    throw new Complaint('say who you are: --login with --key-file or --private-key, and --endpoint', { exit: 'usage' });
  }
  if (!isDemo && (values.login === undefined || values.endpoint === undefined)) {
    throw new Complaint('--login, --endpoint and a key go together', { exit: 'usage' });
  }
  return {
    ...place,
    isDemo,
    endpoint: values.endpoint ?? String(demo.endpoints[0].endpointId),
    login: values.login ?? demo.login,
    controlKey: isDemo ? new Secret(demo.controlKey) : await keyIn(values.keyFile),
    privateKey: await privateKeyOf(values, isDemo),
  };
}

async function runningHere(data: string): Promise<Place> {
  const running = await findRunning({ data });
  if (!running) {
    throw new Complaint(
      `no gateway runs in the folder ${nearFolder(data)}; start it with "tender start", or name one with --base-url`,
      { exit: 'unreachable' },
    );
  }
  const { mode, publicAddress, localAddress } = await running.ask('showInstallation');
  const publicUrl = publicAddress ?? '';
  const isTrial = mode === 'sandbox';
  const aheadMs = isTrial ? Date.parse((await running.ask('showClock')).now) - Date.now() : 0;
  return { publicUrl, calledUrl: localAddress ?? publicUrl, aheadMs, isTrial };
}

/** On this machine it can only be a trial; elsewhere nobody knows. */
function placeOf(baseUrl: string): Place {
  return { publicUrl: baseUrl, calledUrl: baseUrl, aheadMs: 0, isTrial: isLoopback(new URL(baseUrl).hostname) };
}

async function keyIn(path: string | undefined): Promise<Secret<string> | undefined> {
  return path === undefined ? undefined : new Secret((await readGivenText(path)).trim());
}

/** The demo merchant's own is in the data folder of its sandbox. */
async function privateKeyOf({ data, privateKey }: CallingValues, isDemo: boolean): Promise<Secret<string> | undefined> {
  if (privateKey !== undefined || !isDemo) return keyIn(privateKey);
  const text = await readFile(join(data, 'demo-private-key.pem'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : new Secret(text);
}
