// How a command reaches the administration: through the interface of a gateway on another machine, through the door of
// the one that runs on the data folder or, when none runs, on the database itself.

import { access, readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { AnswerTo, VerbName } from '../administration/administration.ts';
import type { Given } from '../administration/verb/inputs.ts';
import { InvalidInput } from '../administration/verb/invalid-input.ts';
import type { Settings } from '../compose/index.ts';
import {
  ADMIN_API,
  type AdminNote,
  adminNotePath,
  CALLER_HEADER,
  osUser,
  serverNotePath,
} from '../http/admin/admin-note.ts';
import type { DigestKeyRotation } from '../processing/node/digest-key-rotation.ts';
import type { KeyRotation } from '../processing/node/key-rotation.ts';
import { databasePlace } from '../storage/connection/database-place.ts';
import { isNear, isRunning } from '../storage/embedded/process-identity.ts';
import { Complaint, nearFolder, nearPath, waitForFolder } from './complaint.ts';
import { showsMigrations, withProgress } from './progress-line.ts';
import { askRemote, exitOfStatus, type RemotePlace } from './remote-gateway.ts';
import { type SettingValues, settingsFrom } from './setting-options.ts';

/** Longer than a slow commit behind a vacuum. */
const ANSWER_TIMEOUT_MS = 60_000;
/**
 * What writes all there is: thousands of merchants at once, whose keys are lost to whoever does not wait for the
 * answer, the memory of the gateway, or a copy of its database; and what counts all rows of a month before it drops it.
 */
const LONG_ANSWER_TIMEOUT_MS = 600_000;
const LONG: ReadonlySet<VerbName> = new Set<VerbName>([
  'importMerchants',
  'writeHeap',
  'copyDatabase',
  'dropArchivedMonth',
]);
const KNOCK_TIMEOUT_MS = 2_000;

export type Administrator = {
  ask<V extends VerbName>(verb: V, given?: Given): Promise<AnswerTo<V>>;
  /** Here when no gateway runs: whoever begins a rotation then has to finish it. */
  readonly rotation: KeyRotation | undefined;
  readonly digestRotation: DigestKeyRotation | undefined;
};

/** Which gateway is asked: one on another machine, or that of the data folder. */
export type AskingValues = SettingValues & { readonly remote?: RemotePlace | undefined };

/** Does some work as the administrator, and closes what was opened for it. */
export async function asAdministrator<T>(
  values: AskingValues,
  work: (administrator: Administrator) => Promise<T>,
): Promise<T> {
  const running = await findAsked(values);
  if (running) return work(running);
  const settings = settingsFrom(values);
  await mustHaveData(settings);
  const { administrationOf, clockOfData, installationOffice, openStore } = await import('../compose/index.ts');
  const store = await withProgress((progress) => {
    progress.show({ doing: 'Opening the database' });
    return openStore(settings, { tellMigration: showsMigrations(progress) }).catch(waitForFolder);
  });
  try {
    // Nobody else can have the embedded database open, so nobody has to notice a new key.
    const keyGraceMs = settings.databaseUrl === undefined ? 0 : settings.keyGraceMs;
    const { mode, leaseMs } = settings;
    const installation = installationOffice(settings, store.database);
    const options = { mode, leaseMs, keyGraceMs, installation, clock: clockOfData(settings), changed: async () => {} };
    const { administration, ...rotations } = administrationOf(store, options);
    return await work({
      ask: (verb, given = {}) => administration.ask(verb, given, `local ${osUser()} by command`),
      ...rotations,
    });
  } finally {
    await store.close();
  }
}

/** For what only a running gateway can do; `instead` says what else would help. */
export async function asRunningAdministrator<T>(
  values: AskingValues,
  instead: string,
  work: (administrator: Administrator) => Promise<T>,
): Promise<T> {
  const running = await findAsked(values);
  if (running) return work(running);
  throw new Complaint(`no gateway runs in the folder ${nearFolder(values.data)}; start it, ${instead}`, {
    exit: 'unreachable',
  });
}

/** The gateway elsewhere that was named, or the one that runs here. */
async function findAsked({ remote, ...values }: AskingValues): Promise<Administrator | undefined> {
  if (!remote) return findRunning(values);
  return { ask: await askRemote(remote), rotation: undefined, digestRotation: undefined };
}

/** The door of the gateway on this data folder, unless the command is meant for another database. */
export async function findRunning({
  data,
  databaseUrl,
}: Pick<SettingValues, 'data' | 'databaseUrl'>): Promise<Administrator | undefined> {
  const note = await readNote(adminNotePath(data));
  if (!note || !(await isThere(note))) return undefined;
  if (databaseUrl !== undefined && note.database !== databasePlace(databaseUrl)) return undefined;
  return { ask: (verb, given = {}) => askDoor(note, verb, given), rotation: undefined, digestRotation: undefined };
}

/** A note that cannot be read is none. */
async function readNote(path: string): Promise<AdminNote | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/** A gateway that was killed leaves its note behind, and another process may have its number or its door by now. */
async function isThere(note: AdminNote): Promise<boolean> {
  return (await isNear(note)) && (await isRunning(note)) && (await isOpen(note.url));
}

/** Whether anybody listens, which is asked without telling them the token. */
function isOpen(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port), timeout: KNOCK_TIMEOUT_MS });
    const found = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.on('connect', found(true)).on('error', found(false)).on('timeout', found(true));
  });
}

async function askDoor<V extends VerbName>(
  { url, token, pid }: AdminNote,
  verb: V,
  given: Given,
): Promise<AnswerTo<V>> {
  const response = await fetch(`${url}${ADMIN_API}${verb}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      [CALLER_HEADER]: encodeURIComponent(caller()),
    },
    body: JSON.stringify(given),
    signal: AbortSignal.timeout(LONG.has(verb) ? LONG_ANSWER_TIMEOUT_MS : ANSWER_TIMEOUT_MS),
  }).catch((cause) => {
    throw new Complaint(`the gateway (process ${pid}) does not answer its administrator`, {
      exit: 'unreachable',
      cause,
    });
  });
  const reply = (await response.json()) as { answer: AnswerTo<V>; error: string; faults?: readonly string[] };
  if (response.ok) return reply.answer;
  const { error, faults = [error] } = reply;
  throw response.status === 400
    ? new InvalidInput(...faults)
    : new Complaint(error, { exit: exitOfStatus(response.status) });
}

/** Who gives the command, as far as this machine knows. */
function caller(): string {
  return `${osUser()}@${hostname()}`;
}

/** A command in the wrong folder must not make a new, empty gateway there. */
async function mustHaveData({ dataFolder, databaseUrl, keyCommand, keyFile }: Settings): Promise<void> {
  const database = join(dataFolder, 'database');
  if (databaseUrl === undefined && !(await exists(database))) {
    throw await noDatabaseIn(dataFolder, 'name its folder with --data, or start it once');
  }
  if (keyCommand !== undefined && keyFile === undefined) return;
  const key = keyFile ?? join(dataFolder, 'key-encryption-keys');
  if (!(await exists(key))) {
    throw new Complaint(`the key file ${nearPath(key)} does not exist; name it with --key-file or TENDER_KEY_FILE`, {
      exit: 'usage',
    });
  }
}

/** Why nothing can be opened in a folder: its gateway may have its database on a server. */
export async function noDatabaseIn(dataFolder: string, otherwise: string): Promise<Complaint> {
  const server = await readFile(serverNotePath(dataFolder), 'utf8').catch(() => undefined);
  const line =
    server === undefined
      ? `there is no gateway in ${nearPath(dataFolder)}; ${otherwise}`
      : `the gateway of ${nearPath(dataFolder)} does not run, and its database is ${server.trim()}; name it with --database-url or DATABASE_URL`;
  return new Complaint(line, { exit: 'usage' });
}

export function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
