// The settings a person can give, each as a flag and as a variable of the environment; the flag wins.
// What is wrong with one is said before anything is opened.

import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Settings } from '../compose/index.ts';
import { Complaint } from './complaint.ts';
import {
  cutOffOf,
  daysOf,
  faultsOf,
  limitModeOf,
  millisecondsOf,
  networksOf,
  pauseOf,
  portNumber,
} from './option-values.ts';

const DEFAULT_PORT = 8080;
export const DEFAULT_DATA = 'data';
const ADVANCED = 'Advanced options:';

const options = {
  port: () =>
    new Option('--port <number>', 'port of the interface; 0 takes a free one')
      .env('PORT')
      .argParser(portNumber)
      .default(DEFAULT_PORT),
  host: () => new Option('--host <address>', 'address to listen on').env('HOST').default('127.0.0.1'),
  baseUrl: () =>
    new Option(
      '--base-url <url>',
      'public address, when a proxy stands in front (default: http://localhost:<port>/paynet)',
    )
      .env('TENDER_BASE_URL')
      .argParser(webAddressOf),
  trustedProxies: () =>
    new Option(
      '--trusted-proxies <addresses>',
      'proxies in front, such as 127.0.0.1,10.0.0.0/8: their X-Forwarded-For says where a request comes from',
    )
      .env('TENDER_TRUSTED_PROXIES')
      .argParser(networksOf),
  data: () =>
    new Option('--data <folder>', 'folder for everything that is kept').env('TENDER_DATA').default(DEFAULT_DATA),
  databaseUrl: () =>
    new Option(
      '--database-url <url>',
      'PostgreSQL 14 or newer, such as postgresql://user@host/name (default: an embedded database)',
    ).env('DATABASE_URL'),
  mode: () =>
    new Option('--mode <mode>', 'sandbox makes a demo merchant and explains wrong signatures; production does neither')
      .env('TENDER_MODE')
      .choices(['sandbox', 'production'])
      .default('sandbox'),
  keyFile: () =>
    new Option(
      '--key-file <path>',
      'key-encryption keys; production must name it (default in a sandbox: key-encryption-keys in the data folder)',
    ).env('TENDER_KEY_FILE'),
  bankUrl: () =>
    new Option('--bank-url <url>', 'a simulated bank started with "tender bank" (default: one inside this process)')
      .env('TENDER_BANK_URL')
      .argParser(webAddressOf),
  networksUrl: () =>
    new Option(
      '--networks-url <url>',
      'a 3-D Secure directory server (default in a sandbox: simulated networks inside this process; in production: none, and endpoints with 3-D Secure take no payments)',
    )
      .env('TENDER_NETWORKS_URL')
      .argParser(webAddressOf),
  bankCutOff: () =>
    new Option('--bank-cut-off <time>', 'when the simulated bank ends its day, in UTC, or never (default: 23:00)')
      .env('TENDER_BANK_CUT_OFF')
      .argParser(cutOffOf),
  bankFaults: () =>
    new Option('--bank-faults <json>', 'how the simulated bank inside misbehaves, as "tender bank faults" prints it')
      .env('TENDER_BANK_FAULTS')
      .argParser(faultsOf)
      .helpGroup(ADVANCED),
  networkLimits: () =>
    new Option(
      '--network-limits <mode>',
      "the card networks' limits on trying a stored card again: on or off; off sends every attempt, and real networks charge fees (default: off in a sandbox, on in production)",
    )
      .env('TENDER_NETWORK_LIMITS')
      .argParser(limitModeOf)
      .helpGroup(ADVANCED),
  keepRequests: () =>
    new Option('--keep-requests <days>', 'how long the journal keeps requests, or forever (default: 400)')
      .env('TENDER_KEEP_REQUESTS')
      .argParser(daysOf)
      .helpGroup(ADVANCED),
  leaseMs: () =>
    new Option('--lease-ms <ms>', 'how long the orders of a node that died stay its own (default: 45000)')
      .env('TENDER_LEASE_MS')
      .argParser(millisecondsOf)
      .helpGroup(ADVANCED),
  acquirerTimeoutMs: () =>
    new Option('--acquirer-timeout-ms <ms>', 'how long the bank may take to answer a payment (default: 30000)')
      .env('TENDER_ACQUIRER_TIMEOUT_MS')
      .argParser(millisecondsOf)
      .helpGroup(ADVANCED),
  callbackTimeoutMs: () =>
    new Option('--callback-timeout-ms <ms>', 'how long a merchant may take to answer a callback (default: 10000)')
      .env('TENDER_CALLBACK_TIMEOUT_MS')
      .argParser(millisecondsOf)
      .helpGroup(ADVANCED),
  drainMs: () =>
    new Option(
      '--drain-ms <ms>',
      'how long a stop goes on taking requests while /readyz says 503, so that a balancer can look elsewhere (default: 0)',
    )
      .env('TENDER_DRAIN_MS')
      .argParser(pauseOf)
      .helpGroup(ADVANCED),
  keyGraceMs: () =>
    new Option(
      '--key-grace-ms <ms>',
      'how long old data keys are kept after a rotation, until every node has the new one (default: 90000)',
    )
      .env('TENDER_KEY_GRACE_MS')
      .argParser(millisecondsOf)
      .helpGroup(ADVANCED),
};

export type SettingName = keyof typeof options;

const ALL = Object.keys(options) as SettingName[];

/** What a command that works on the data of a gateway, running or not, has to know. */
const WHERE_THE_DATA_IS: readonly SettingName[] = ['data', 'databaseUrl', 'mode', 'keyFile'];

export type SettingValues = Omit<Settings, 'dataFolder'> & { readonly data: string };

export function withSettings(command: Command): Command {
  for (const name of ALL) command.addOption(settingOption(name));
  return command;
}

export function withDataSettings(command: Command): Command {
  for (const name of WHERE_THE_DATA_IS) command.addOption(settingOption(name).helpGroup('Which gateway:'));
  return command;
}

/** One setting on its own. */
export function settingOption(name: SettingName): Option {
  const option = options[name]();
  // An empty variable is one that is not set.
  if (option.envVar !== undefined && process.env[option.envVar] === '') delete process.env[option.envVar];
  return option;
}

export function settingsFrom({ data, ...values }: SettingValues): Settings {
  const { keyFile, mode } = values;
  databaseUrlOf(values);
  if (mode === 'production' && keyFile === undefined) {
    throw new Complaint(
      'production needs a key file; name it with --key-file or TENDER_KEY_FILE ("tender vault create-key-file <path>" makes one)',
    );
  }
  return {
    ...values,
    dataFolder: resolve(data),
    keyFile: keyFile === undefined ? undefined : resolve(keyFile),
  };
}

/** Not by the option's own parser, which would repeat the value: there may be a password in it. */
export function databaseUrlOf({ databaseUrl }: { readonly databaseUrl?: string | undefined }): string | undefined {
  if (databaseUrl === undefined || (/^postgres(ql)?:/.test(databaseUrl) && URL.canParse(databaseUrl)))
    return databaseUrl;
  throw new Complaint('--database-url or DATABASE_URL must be an address such as postgresql://user@host:5432/name');
}

export function webAddressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('An address such as https://pay.example.com/paynet is needed.');
  }
  return text;
}
