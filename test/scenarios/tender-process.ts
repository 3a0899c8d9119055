// The `tender` command as its users have it, with arguments, an environment and streams: servers as processes, commands
// that end by themselves in threads of this one, which run the same built program and spare a Node for each.

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { expect } from 'vitest';
import { until } from '../harness.ts';
import { removeFolder } from '../left-behind.ts';
import { copyFolder, seededBeginning } from '../seeded.ts';
import { SHORT_LIFE } from '../setup/short-life.ts';

export const LAUNCHER = fileURLToPath(new URL('../../bin/tender.mjs', import.meta.url));
const PROGRAM = new URL('../../dist/tender.js', import.meta.url);
const COMMAND_THREAD = new URL('./command-thread.mjs', import.meta.url);

/** What the launcher, not the program, says when sources were changed while the tests run. */
const BUILDING = /^tender: building…( \d+ s)?\n/gm;

/** Settings of whoever runs the tests must not reach the processes under test. */
const SETTINGS = /^(PORT|HOST|DATABASE_URL|NO_COLOR|TENDER_.*)$/;

export type Surroundings = {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  /** Of an installed package; this checkout's unless given. */
  readonly launcher?: string;
  /** Whether a sandbox may begin from what a start on nothing leaves (test/seeded.ts), or must begin from nothing. */
  readonly begins?: 'seeded' | 'empty';
};

function environment(env: Readonly<Record<string, string>>): Record<string, string> {
  const inherited = Object.entries(process.env as Record<string, string>).filter(([name]) => !SETTINGS.test(name));
  return { ...Object.fromEntries(inherited), ...env };
}

/** A process that is killed leaves its keys of security codes behind: these go with the other files of the tests. */
function codeKeysFor(args: readonly string[]): Record<string, string> {
  const isSandbox = args[0] === 'start' && !args.includes('production');
  return isSandbox ? { TENDER_CODE_KEY_FOLDER: join(tmpdir(), 'tender-code-keys') } : {};
}

export type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** A process that is still running, or was. */
export class TenderProcess {
  stdout = '';
  stderr = '';
  readonly ended: Promise<Ended>;
  readonly #child: ChildProcessWithoutNullStreams;

  constructor(args: readonly string[], { env = {}, cwd = tmpdir(), launcher = LAUNCHER }: Surroundings = {}) {
    const around = environment({ ...codeKeysFor(args), ...env });
    this.#child = spawn(process.execPath, [...SHORT_LIFE, launcher, ...args], { cwd, env: around });
    this.#child.stdout.setEncoding('utf8').on('data', (text) => (this.stdout += text));
    this.#child.stderr.setEncoding('utf8').on('data', (text) => (this.stderr += text));
    this.#child.stdin.on('error', () => {});
    this.ended = new Promise((resolve) => {
      this.#child.on('close', (code) =>
        resolve({ code, stdout: this.stdout, stderr: this.stderr.replace(BUILDING, '') }),
      );
    });
  }

  get pid(): number {
    return this.#child.pid as number;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  says(text: string): void {
    this.#child.stdin.end(text);
  }

  async untilSaid(text: string): Promise<void> {
    await until(`"${text}" is printed`, () => this.stdout.includes(text) || !this.isRunning);
    if (!this.stdout.includes(text)) throw new Error(`it ended without "${text}": ${this.stderr}`);
  }

  signal(signal: NodeJS.Signals): void {
    this.#child.kill(signal);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    if (this.isRunning) this.signal(signal);
    return this.ended;
  }
}

/** Runs a command to its end, as a process of its own: for whoever asks how processes begin and end. */
export function tenderProcess(args: readonly string[], around: Surroundings = {}): Promise<Ended> {
  const command = new TenderProcess(args, around);
  command.says('');
  return command.ended;
}

/** Threads that wait for their next command. */
const idleThreads: Worker[] = [];

function newThread(): Worker {
  const thread = new Worker(COMMAND_THREAD, {
    env: environment({}),
    execArgv: [],
    workerData: { program: PROGRAM.href },
  });
  thread.unref();
  return thread;
}

/** Runs a command to its end. */
export async function tender(args: readonly string[], { input }: { readonly input?: string } = {}): Promise<Ended> {
  const thread = idleThreads.pop() ?? newThread();
  const over = new AbortController();
  const { signal } = over;
  thread.postMessage({ args, input });
  const answer = once(thread, 'message', { signal }) as Promise<[Ended & { readonly isLast: boolean }]>;
  const exit = once(thread, 'exit', { signal }).then(([code]) => {
    throw new Error(`the thread of "tender ${args.join(' ')}" ended with ${code}`);
  });
  const [{ isLast, ...ended }] = await Promise.race([answer, exit]);
  exit.catch(() => {});
  over.abort();
  if (!isLast) idleThreads.push(thread);
  return ended;
}

/** A process that has said that it is there; one that never does is ended. */
async function launched(args: readonly string[], says: string, around: Surroundings = {}): Promise<TenderProcess> {
  const process = new TenderProcess(args, around);
  await process.untilSaid(says).catch(async (error) => {
    await process.stop('SIGKILL');
    throw error;
  });
  return process;
}

export type RunningProcess = {
  readonly process: TenderProcess;
  readonly baseUrl: string;
  readonly origin: string;
  /** Where it is reached without the proxy that its public address names, and where administrators are served. */
  readonly localOrigin: string;
  readonly adminOrigin: string;
};

/** What a new gateway may be told and still begin as a sandbox does that is told nothing. */
const SEEDED_OPTIONS = /^--(acquirer-timeout-ms|bank-url|drain-ms|key-grace-ms|lease-ms|networks-url|port)$/;

/**
 * The data folder of a sandbox that starts on nothing, if a copy of one that has started once may take its place: a
 * first start takes twice the processor time of any other.
 */
async function unbegun(args: readonly string[], around: Surroundings): Promise<string | undefined> {
  const { begins, env, launcher } = around;
  const [option, folder, ...others] = args;
  if (begins === 'empty' || env || launcher || option !== '--data' || folder === undefined) return undefined;
  if (others.some((arg) => arg.startsWith('--') && !SEEDED_OPTIONS.test(arg))) return undefined;
  const names = await readdir(folder).catch(() => []);
  return names.length === 0 ? folder : undefined;
}

/** A sandbox that has started and stopped. */
async function leaveBegun(folder: string): Promise<undefined> {
  const { process } = await startProcess(['--data', folder], { begins: 'empty' });
  await process.stop();
}

/** A gateway on a free port, once it says where it is. */
export async function startProcess(args: readonly string[], around: Surroundings = {}): Promise<RunningProcess> {
  const folder = await unbegun(args, around);
  const beginning = folder && (await seededBeginning('process', leaveBegun));
  if (folder && beginning) await copyFolder(beginning.folder, folder);
  const gateway = await launched(['start', '--port', '0', ...args], 'Database', around);
  const baseUrl = /Interface\s+(\S+)/.exec(gateway.stdout)?.[1] ?? '';
  const placeOf = (title: string) => new URL(new RegExp(`${title}\\s+(\\S+)`).exec(gateway.stdout)?.[1] ?? '').origin;
  const [localOrigin, adminOrigin] = [placeOf('Health'), placeOf('Admin port')];
  return { process: gateway, baseUrl, origin: new URL(baseUrl).origin, localOrigin, adminOrigin };
}

/** Exactly one line, for people, and no stack trace. */
export function expectLine(stderr: string, pattern: RegExp): void {
  const lines = stderr.trimEnd().split('\n');
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(/^tender: /);
  expect(lines[0]).toMatch(pattern);
}

/** A bank of its own on a free port. */
export async function startBankProcess(args: readonly string[]): Promise<{ process: TenderProcess; url: string }> {
  const bank = await launched(['bank', '--port', '0', ...args], 'books are in');
  return { process: bank, url: /at (http:\S+),/.exec(bank.stdout)?.[1] ?? '' };
}

/** Card networks of their own on a free port. */
export async function startNetworksProcess(args: readonly string[]): Promise<{ process: TenderProcess; url: string }> {
  const networks = await launched(['networks', '--port', '0', ...args], 'networks are at');
  return { process: networks, url: /at (http:\S+)\./.exec(networks.stdout)?.[1] ?? '' };
}

/** Folders and processes of a test, all gone at its end. */
export class Belongings {
  readonly #closing: (() => Promise<unknown>)[] = [];

  async folder(): Promise<string> {
    const path = await mkdtemp(join(tmpdir(), 'tender-process-'));
    this.#closing.push(() => removeFolder(path));
    return path;
  }

  keep<T extends { readonly process: TenderProcess }>(running: T): T {
    this.#closing.push(() => running.process.stop('SIGKILL'));
    return running;
  }

  /** `close` runs at the end. */
  also(close: () => Promise<unknown>): void {
    this.#closing.push(close);
  }

  async drop(): Promise<void> {
    for (const close of this.#closing.splice(0).reverse()) await close();
  }
}
