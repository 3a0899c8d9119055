// What is said when a command cannot be carried out: one line that names what is wrong and what would be right.
// A fault of the program itself goes to the log instead, with the places it came through.

import { isAbsolute, relative, resolve } from 'node:path';
import { InvalidInput } from '../administration/verb/invalid-input.ts';
import type { ExitName } from '../domain/exit-codes.ts';
import { visible } from '../domain/text.ts';
import type { Log } from '../telemetry/log.ts';

type ComplaintOptions = ErrorOptions & {
  /** What the exit code tells a script. */
  readonly exit?: ExitName;
};

/** Something a person can mend; the message is the whole story. */
export class Complaint extends Error {
  override readonly name = 'Complaint';
  readonly exit: ExitName;

  constructor(message: string, { exit = 'failed', ...options }: ComplaintOptions = {}) {
    super(message, options);
    this.exit = exit;
  }
}

/** The settings a failure may have come from. */
export type Suspects = {
  readonly host?: string;
  readonly port?: number;
  /** They cannot be given by the environment. */
  readonly flagsOnly?: boolean;
};

const LOCKED = / is in use by process \d+$/;

/** Errors that only a mistake in the program throws. */
const PROGRAM_FAULTS = [TypeError, ReferenceError, RangeError, SyntaxError];

/** For a command that only needs the folder for a moment, and found no gateway's door. */
export function waitForFolder(error: unknown): never {
  if (!(error instanceof Error && LOCKED.test(error.message))) throw error;
  const cause = 'a gateway that is starting, stopping or in another container, or another command';
  throw new Complaint(`${error.message}: ${cause}; try again in a moment`, { cause: error });
}

export function complain(error: unknown, log: Log, suspects: Suspects = {}): void {
  if (isProgramFault(error)) log.error('the command failed', { error });
  else process.stderr.write(`tender: ${visible(lineFor(error, suspects))}\n`);
}

function isProgramFault(error: unknown): boolean {
  return !(error instanceof Error) || PROGRAM_FAULTS.some((fault) => error instanceof fault);
}

export function lineFor(error: unknown, suspects: Suspects): string {
  const { message } = error as Error;
  const system = error as NodeJS.ErrnoException;
  if (LISTENING.includes(system.syscall ?? '')) return listenLine(system, suspects);
  if (system.code !== undefined && system.path !== undefined) return fileLine(system);
  const line = (error instanceof InvalidInput ? error.faults.map(inWords).join('; ') : message).replaceAll(
    /\s*\n\s*/g,
    ' ',
  );
  return LOCKED.test(line) ? `${line}; stop that one, or choose another folder with --data or TENDER_DATA` : line;
}

/** `serialNumber: …` as `serial number: …`: the verbs' own names for what is given are not those of the commands. */
function inWords(message: string): string {
  return message.replace(/^[a-z]+([A-Z][a-z]+)+(?=:| is missing)/, (name) =>
    name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
  );
}

/** What fails when a server cannot listen; a worker is told that binding failed. */
const LISTENING = ['listen', 'bind', 'getaddrinfo'];

const FLAGS = ['--port', '--host'] as const;
const FLAGS_AND_VARIABLES = ['--port or PORT', '--host or HOST'] as const;
const ADMIN_FLAGS = ['--admin-port or TENDER_ADMIN_PORT', '--admin-host or TENDER_ADMIN_HOST'] as const;

/** What the system tells of a server that cannot listen. */
type ListenError = NodeJS.ErrnoException & { readonly port?: number; readonly address?: string };

function listenLine(error: ListenError, suspects: Suspects): string {
  const { code, message, port = suspects.port, address: host = suspects.host } = error;
  const isAdmins = port !== suspects.port;
  const [withPort, withHost] = isAdmins ? ADMIN_FLAGS : suspects.flagsOnly ? FLAGS : FLAGS_AND_VARIABLES;
  if (code === 'EADDRINUSE') return `port ${port} is in use; choose another with ${withPort}`;
  if (code === 'EACCES') return `port ${port} may not be opened by this user; choose one above 1023 with ${withPort}`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return `${host} is not an address of this machine; choose another with ${withHost}`;
  }
  return message;
}

const FILE_REASONS: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'it is not a folder',
  ENOENT: 'it does not exist and cannot be made',
};

function fileLine({ code = '', path = '', syscall }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT' && syscall === 'open') return `${nearPath(path)} does not exist`;
  return `cannot use ${nearPath(path)}: ${reasonOf({ code })}`;
}

/** Why the system refuses, in words where we have some. */
export function reasonOf({ code = 'no reason is known' }: { readonly code?: string | undefined }): string {
  return FILE_REASONS[code] ?? code;
}

/** As a person at this place would write it. */
export function nearPath(path: string): string {
  const near = relative(process.cwd(), path);
  return near === '' || near.startsWith('..') || isAbsolute(near) ? path : near;
}

/** A folder, so that it reads as one: `./data`. */
export function nearFolder(path: string): string {
  const near = nearPath(resolve(path));
  return isAbsolute(near) ? near : `./${near}`;
}
