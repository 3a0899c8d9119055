// The settings a person can give, each as a flag and as a variable of the environment; the flag wins.
// What is wrong with one is said before anything is opened.

import { resolve } from 'node:path';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { Settings } from '../compose/index.ts';
import { isMailAddress } from '../domain/mail/mail-address.ts';
import { readSmtpUrl } from '../domain/mail/smtp-url.ts';
import { BadDatabaseAddress, readDatabaseAddress } from '../storage/connection/database-address.ts';
import { Complaint } from './complaint.ts';
import {
  addressRangesOf,
  callbackHostsOf,
  connectionCountOf,
  countOf,
  countOrOff,
  cutOffOf,
  daysOf,
  faultsOf,
  firstIdOf,
  limitModeOf,
  millisecondsOf,
  onOffOf,
  pauseOf,
  percentOf,
  placesOf,
  portNumber,
  strideOf,
  subjectsOf,
  workerCountOf,
} from './option-values.ts';

export const DEFAULT_DATA = 'data';

/** What an option takes, its meaning, and how its value is read: by a function, as one of these words, or as it is. */
type Form = readonly [takes: string, says: string, reads?: ((text: string) => unknown) | readonly string[]];

const PLAIN = {
  port: ['number', 'port of the interface; 0 takes a free one', portNumber],
  host: ['address', 'address to listen on'],
  adminPort: [
    'number',
    "port of the administrators' interface; 0 takes a free one (default: 1000 above --port, or a free one)",
    portNumber,
  ],
  adminHost: ['address', "address of the administrators' interface (default: 127.0.0.1)"],
  adminUrl: [
    'url',
    "address of the administrators' interface, when a proxy stands in front (default: http://localhost:<port>)",
    webAddressOf,
  ],
  tlsCertificate: [
    'path',
    'serve under TLS with this certificate and its chain, in PEM; a renewed file is used without a restart (default: plain HTTP)',
  ],
  tlsKey: ['path', 'the private key of --tls-certificate, in PEM'],
  tlsClientCa: [
    'path',
    'ask clients for certificates of these authorities, for merchants and card networks with mutual TLS (default: ask nobody)',
  ],
  adminTlsCertificate: [
    'path',
    "serve the administrators' interface under TLS with this certificate (default: plain HTTP)",
  ],
  adminTlsKey: ['path', 'the private key of --admin-tls-certificate'],
  baseUrl: [
    'url',
    'public address, when a proxy stands in front or others call by another name; https in production (default: http://localhost:<port>/paynet; a sandbox gives who calls by another name addresses with that name)',
    webAddressOf,
  ],
  trustedProxies: [
    'addresses',
    'proxies in front, such as 127.0.0.1,10.0.0.5, whose X-Forwarded-For, X-Forwarded-Proto and X-Forwarded-Host are believed',
    addressRangesOf,
  ],
  callbackHosts: [
    'hosts',
    'private hosts that a sandbox may call back, such as shop,10.0.0.0/8,host.docker.internal:3000: names, addresses and address ranges, with any port or the given one (default: this machine alone)',
    callbackHostsOf,
  ],
  data: ['folder', 'folder for everything that is kept'],
  databaseUrl: [
    'url',
    'PostgreSQL 14 or newer, such as postgresql://user@host/name; several hosts, as in user@db1,db2/name, are a primary and its standbys (default: an embedded database)',
  ],
  databaseReadUrl: [
    'url',
    'a standby of that server, read for what may be five seconds behind: lists, figures, verification (default: none)',
  ],
  databaseConnections: [
    'number',
    'how many connections to that server each process may have (default: 10)',
    connectionCountOf,
  ],
  mode: [
    'mode',
    'sandbox makes a demo merchant and explains wrong signatures; production does neither',
    ['sandbox', 'production'],
  ],
  workers: [
    'number',
    'processes that serve the port together, each with connections of its own to PostgreSQL; SIGHUP restarts them one by one (default: 1)',
    workerCountOf,
  ],
  keyFile: [
    'path',
    'key-encryption keys; production must name it or a key command (default in a sandbox: key-encryption-keys in the data folder)',
  ],
  keyCommand: [
    'command',
    'a program, with arguments divided by blanks, that wraps and unwraps data keys, such as a script for a security module',
  ],
  wrapWith: [
    'place',
    'where data keys are wrapped when both a key file and a key command are named, on the way from one to the other (default: command)',
    ['file', 'command'],
  ],
  codeKeyFolder: [
    'folder',
    'folder in memory (tmpfs) for the keys of security codes that wait for a bank, in a folder of their own; a disk is refused in production (default: /dev/shm)',
  ],
  bankUrl: ['url', 'a simulated bank started with "tender bank" (default: one inside this process)', webAddressOf],
  networksUrl: [
    'url',
    'a 3-D Secure directory server for brands without one of their own, see "tender network" (default in a sandbox: simulated networks inside this process; in production: none, and endpoints with 3-D Secure take no cards of such brands)',
    webAddressOf,
  ],
  resultsSubject: [
    'subject',
    'take results of 3-D Secure only from this client certificate, by the subject or fingerprint that a trusted proxy passes on; may be repeated (default: from everybody who reaches the address)',
    subjectsOf,
  ],
  auditHeads: [
    'place',
    'send the head of the audit chain after every change, and each minute, to file:/path, syslog://host:514, syslog+tcp://host:601, syslog+unix:/path or https://host/path; may be repeated (default: nowhere)',
    placesOf,
  ],
  auditHeadsKey: ['path', 'file with the key that signs heads which are sent over the web'],
  smtpUrl: [
    'url',
    'mail server for receipts to payers, such as smtps://user:password@mail.example:465, or smtp:// with STARTTLS; needs --mail-from (default: none are sent)',
  ],
  mailFrom: ['address', 'e-mail address that receipts come from'],
  bankCutOff: ['time', 'when the simulated bank ends its day, in UTC, or never (default: 23:00)', cutOffOf],
} as const satisfies Readonly<Record<string, Form>>;

const ADVANCED = {
  bankFaults: ['json', 'how the simulated bank inside misbehaves, as "tender bank faults" prints it', faultsOf],
  networkLimits: [
    'mode',
    "the card networks' limits on trying a stored card again: on or off; off sends every attempt, and real networks charge fees (default: off in a sandbox, on in production)",
    limitModeOf,
  ],
  docs: [
    'mode',
    'serve the documentation at /docs: on or off (default: on in a sandbox, off in production)',
    ['on', 'off'],
  ],
  requestLog: [
    'on|off',
    'write a line in JSON to the log for every request: operation, merchant, order, outcome, time, trace (default: off)',
    onOffOf,
  ],
  otlpUrl: [
    'url',
    'send spans of requests, banks and callbacks to this OpenTelemetry collector, such as http://localhost:4318 (default: make none)',
    collectorAddressOf,
  ],
  keepRequests: ['days', 'how long the journal keeps requests, or forever (default: 400)', daysOf],
  keepCallbackAttempts: [
    'days',
    'how long every try to call a merchant is told of, or forever; how a callback ended stays with its order (default: 90)',
    daysOf,
  ],
  maxConnections: [
    'number',
    'how many connections are kept open; beyond it a newcomer gets the place of the one that has been silent longest (default: 10000)',
    countOf,
  ],
  maxConnectionsPerAddress: [
    'number',
    'how many of them one address range, /24 or /64, may have; trusted proxies may have any number (default: 1000)',
    countOf,
  ],
  keepStrangers: [
    'days',
    'how long the journal keeps requests without a right signature, or forever (default: 7)',
    daysOf,
  ],
  strangerLimit: [
    'number',
    'requests without a right signature that one address range, /24 or /64, may send in a minute, or off; beyond it they get 429 (default: off in a sandbox, 300 in production)',
    countOrOff,
  ],
  ordersInFlight: [
    'number',
    'how many orders may wait for their banks on this node; beyond it new ones are refused for the moment (default: 20000)',
    countOf,
  ],
  merchantShare: [
    'percent',
    'how much of that one merchant may take, so that the others find room (default: 25)',
    percentOf,
  ],
  mostWaitMs: [
    'ms',
    'how long a request may have to wait for its turn, or off; beyond it new ones get code 92, above all those of whoever sends most (default: 100)',
    countOrOff,
  ],
  firstId: [
    'id',
    'the first id of new orders, cards and recurring payments, for whoever moves from another gateway; ids never go back (default: 1)',
    firstIdOf,
  ],
  idStride: [
    'number',
    "ids grow by random steps up to this, so that they do not count the installation's orders (default: 1)",
    strideOf,
  ],
  leaseMs: ['ms', 'how long the orders of a node that died stay its own (default: 45000)', millisecondsOf],
  acquirerTimeoutMs: ['ms', 'how long the bank may take to answer a payment (default: 30000)', millisecondsOf],
  callbackTimeoutMs: ['ms', 'how long a merchant may take to answer a callback (default: 10000)', millisecondsOf],
  drainMs: [
    'ms',
    'how long a stop goes on taking requests while /readyz says 503, so that a balancer can look elsewhere (default: 0)',
    pauseOf,
  ],
  keyGraceMs: [
    'ms',
    'how long old data keys are kept after a rotation, until every node has the new one (default: 90000)',
    millisecondsOf,
  ],
} as const satisfies Readonly<Record<string, Form>>;

const FORMS: Readonly<Record<SettingName, Form>> = { ...PLAIN, ...ADVANCED };

export type SettingName = keyof typeof PLAIN | keyof typeof ADVANCED;

const ALL = Object.keys(FORMS) as SettingName[];

const DEFAULTS: { readonly [name in SettingName]?: string | number } = {
  port: 8080,
  host: '127.0.0.1',
  data: DEFAULT_DATA,
  mode: 'sandbox',
};

/** Names that other programs know too; all others begin with TENDER_. */
const COMMON_VARIABLES: readonly SettingName[] = ['port', 'host', 'databaseUrl', 'databaseReadUrl'];

/** What a command that works on the data of a gateway, running or not, has to know. */
const WHERE_THE_DATA_IS: readonly SettingName[] = ['data', 'databaseUrl', 'mode', 'keyFile', 'keyCommand', 'wrapWith'];

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
  const [takes, says, reads] = FORMS[name];
  const words = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  const variable = words.toUpperCase().replaceAll('-', '_');
  const option = new Option(`--${words} <${takes}>`, says);
  option.env(COMMON_VARIABLES.includes(name) ? variable : `TENDER_${variable}`);
  if (typeof reads === 'function') option.argParser(reads);
  else if (reads) option.choices(reads);
  if (DEFAULTS[name] !== undefined) option.default(DEFAULTS[name]);
  if (name in ADVANCED) option.helpGroup('Advanced options:');
  // An empty variable is one that is not set.
  if (option.envVar !== undefined && process.env[option.envVar] === '') delete process.env[option.envVar];
  return option;
}

export function settingsFrom({ data, ...values }: SettingValues): Settings {
  const { codeKeyFolder, keyCommand, keyFile, mode, resultsSubject, trustedProxies } = values;
  databaseUrlOf(values);
  readUrlComplaint(values);
  if (values.workers !== undefined && values.workers > 1 && values.databaseUrl === undefined) {
    throw new Complaint(
      `--workers ${values.workers} needs PostgreSQL, named with --database-url or DATABASE_URL: the embedded database can be open in one process only`,
      { exit: 'usage' },
    );
  }
  if (resultsSubject !== undefined && trustedProxies === undefined && values.tlsClientCa === undefined) {
    throw new Complaint(
      '--results-subject needs --tls-client-ca, or --trusted-proxies: only a proxy named there is believed when it tells whose a certificate is',
      { exit: 'usage' },
    );
  }
  if (mode === 'production' && values.callbackHosts !== undefined) {
    throw new Complaint('--callback-hosts is for sandboxes: in production callbacks never go to private addresses');
  }
  tlsComplaint(values);
  mailComplaint(values);
  if (mode === 'production' && keyFile === undefined && keyCommand === undefined) {
    throw new Complaint(
      'production needs a key file; name it with --key-file or TENDER_KEY_FILE ("tender vault create-key-file <path>" makes one), or a key command with --key-command or TENDER_KEY_COMMAND',
      { exit: 'usage' },
    );
  }
  return {
    ...values,
    adminPort: values.adminPort ?? adminPortBeside(values.port),
    dataFolder: resolve(data),
    keyFile: keyFile === undefined ? undefined : resolve(keyFile),
    codeKeyFolder: codeKeyFolder === undefined ? undefined : resolve(codeKeyFolder),
  };
}

function tlsComplaint(values: Omit<SettingValues, 'data'>): void {
  const { tlsCertificate, tlsKey, tlsClientCa, adminTlsCertificate, adminTlsKey } = values;
  if ((tlsCertificate === undefined) !== (tlsKey === undefined)) {
    throw new Complaint('--tls-certificate and --tls-key go together', { exit: 'usage' });
  }
  if ((adminTlsCertificate === undefined) !== (adminTlsKey === undefined)) {
    throw new Complaint('--admin-tls-certificate and --admin-tls-key go together', { exit: 'usage' });
  }
  if (tlsClientCa !== undefined && tlsCertificate === undefined) {
    throw new Complaint('--tls-client-ca needs --tls-certificate: only over TLS can a client show a certificate', {
      exit: 'usage',
    });
  }
}

/** Not by the option's own parser, which would repeat the value: there may be a password in it. */
function mailComplaint({ smtpUrl, mailFrom }: Omit<SettingValues, 'data'>): void {
  if (smtpUrl !== undefined && readSmtpUrl(smtpUrl) === undefined) {
    throw new Complaint('--smtp-url must be an address such as smtps://user:password@mail.example:465', {
      exit: 'usage',
    });
  }
  if (mailFrom !== undefined && !isMailAddress(mailFrom)) {
    throw new Complaint('--mail-from must be an e-mail address such as receipts@pay.example', { exit: 'usage' });
  }
  if ((smtpUrl === undefined) !== (mailFrom === undefined)) {
    throw new Complaint('--smtp-url and --mail-from go together', { exit: 'usage' });
  }
}

/** Card numbers must not travel in clear: in production the interface is reached under TLS, here or at a proxy. */
export function refusePlainBase({ mode, baseUrl, tlsCertificate }: Settings): void {
  if (mode !== 'production' || baseUrl?.startsWith('https:') || (!baseUrl && tlsCertificate !== undefined)) return;
  throw new Complaint(
    'production needs a public address with TLS: name it with --base-url https://… or TENDER_BASE_URL when a proxy ends TLS, or serve TLS here with --tls-certificate and --tls-key',
    { exit: 'usage' },
  );
}

const ADMIN_DISTANCE = 1_000;
const LAST_PORT = 65_535;

/** The administrators' port, so that it is known to who knows the interface's. */
function adminPortBeside(port: number | undefined): number {
  return port === undefined || port === 0 || port + ADMIN_DISTANCE > LAST_PORT ? 0 : port + ADMIN_DISTANCE;
}

/** Not by the option's own parser, which would repeat the value: there may be a password in it. */
export function databaseUrlOf({ databaseUrl }: { readonly databaseUrl?: string | undefined }): string | undefined {
  if (databaseUrl !== undefined) addressComplaint(databaseUrl, '--database-url or DATABASE_URL');
  return databaseUrl;
}

function addressComplaint(address: string, which: string): void {
  try {
    readDatabaseAddress(address);
  } catch (error) {
    if (!(error instanceof BadDatabaseAddress)) throw error;
    throw new Complaint(`${which} must be an address such as postgresql://user@host:5432/name: ${error.message}`, {
      exit: 'usage',
    });
  }
}

function readUrlComplaint({ databaseUrl, databaseReadUrl }: Omit<SettingValues, 'data'>): void {
  if (databaseReadUrl === undefined) return;
  addressComplaint(databaseReadUrl, '--database-read-url or DATABASE_READ_URL');
  if (databaseUrl !== undefined) return;
  throw new Complaint(
    '--database-read-url names a standby of the server that --database-url or DATABASE_URL names, which is missing',
    { exit: 'usage' },
  );
}

/** What is in it would be sent to nobody: requests are not made to addresses that hold a password. */
export function collectorAddressOf(text: string): string {
  const { username, password } = new URL(webAddressOf(text));
  if (username === '' && password === '') return text;
  throw new InvalidArgumentError('An address of a collector holds no user and no password.');
}

export function webAddressOf(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.search !== '' || url.hash !== '') {
    throw new InvalidArgumentError('An address such as https://pay.example.com/paynet is needed.');
  }
  return text;
}
