// `tender start`: a running gateway from its first line to its last, in one process or in several (../workers). A
// signal lets it finish what is in flight; a second one ends it at once, and what it leaves is taken up by the next
// start.

import cluster from 'node:cluster';
import type { Command } from 'commander';
import type { Crew, HowToClose, RunningGateway, Settings } from '../../compose/index.ts';
import type { FirstSignIn } from '../../processing/people/first-administrator.ts';
import { databasePlace } from '../../storage/connection/database-place.ts';
import type { TellsMigration } from '../../storage/connection/migrate.ts';
import { PACKAGE_VERSION } from '../../storage/connection/package-root.ts';
import { createLog, type Log } from '../../telemetry/log.ts';
import { Complaint, complain } from '../complaint.ts';
import { exitCodeOf } from '../exit-code.ts';
import { endOfLifeLine } from '../node-life.ts';
import { ProgressLine, showsMigrations } from '../progress-line.ts';
import { refusePlainBase, type SettingValues, settingsFrom, withSettings } from '../setting-options.ts';
import { endWith, openNoDebugger, stopOnSignals } from '../signals.ts';
import { sayStyled, styleOf } from '../terminal.ts';
import { Lines } from '../watching/lines.ts';
import { paintOf } from '../watching/seen-line.ts';
import { runWorker, type WorkerLife } from '../workers/worker.ts';
import { productionBanner, sandboxBanner } from './banner.ts';

const FAREWELL = 'Stopping: finishing what is in flight. A second signal stops at once.';

/** Who asks several workers to restart must not end a single one. */
const ALONE = 'SIGHUP restarts workers one by one, but there is a single process: nothing was done';

export function addStart(program: Command): void {
  const command = program
    .command('start')
    .summary('run the gateway')
    .description(
      'Runs the gateway. Without any setting it is a sandbox: an embedded database, a simulated bank and a demo merchant, all in the data folder.',
    );
  withSettings(command)
    .option('--quiet', 'in a sandbox: print no line for each request, answer of the bank and callback')
    .option('--lines', 'in a sandbox: print these lines also where standard output is no terminal')
    .action(async ({ quiet, lines, ...values }: SettingValues & LineValues) =>
      start(startable(settingsFrom(values)), linesOf({ quiet, lines })),
    );
}

type LineValues = { readonly quiet?: boolean | undefined; readonly lines?: boolean | undefined };

/** For who sits at the terminal. Whatever reads a pipe gets them only when it asks. */
function linesOf({ quiet = false, lines = false }: LineValues): Lines | undefined {
  if (quiet && lines) throw new Complaint('give --quiet or --lines, not both');
  const isWanted = lines || (!quiet && process.stdout.isTTY === true);
  return isWanted ? new Lines(process.stdout, paintOf(process.stdout)) : undefined;
}

function startable(settings: Settings): Settings {
  refusePlainBase(settings);
  return settings;
}

async function start(settings: Settings, lines: Lines | undefined): Promise<void> {
  if (settings.mode === 'production') openNoDebugger();
  if (cluster.isWorker) return runWorker(workerLife(settings, lines));
  const log = logOf();
  endOnFault(log);
  const { workers = 1 } = settings;
  if (workers > 1) {
    const { startWorkers } = await import('../workers/start-workers.ts');
    return startWorkers({ settings, workers, log }, FAREWELL);
  }
  const gateway = await open(settings, { log, lines });
  if (settings.mode === 'production' && !process.stdout.isTTY) process.on('SIGHUP', () => log.warn(ALONE));
  stopOnSignals(FAREWELL, () => close(settings, gateway, log), log);
  await announce(settings, gateway, log);
}

/** The same for one of several workers, with what was settled for all of them. */
function workerLife(own: Settings, lines: Lines | undefined): WorkerLife {
  let log = logOf();
  let settings = own;
  endOnFault(log);
  return {
    open: async ({ worker, workers, settings: common }, crew) => {
      const { shareOfSettings } = await import('../../compose/index.ts');
      log = logOf(worker);
      // The bank that misbehaves is not inside a worker.
      settings = shareOfSettings({ ...own, workers, bankFaults: undefined, ...common }, workers);
      return open(settings, { log, lines, crew });
    },
    announce: (gateway) => announce(settings, gateway, log),
    close: (gateway, how) => close(settings, gateway, log, how),
  };
}

function logOf(worker?: number): Log {
  return createLog((line) => process.stderr.write(line), Date.now, worker);
}

type Around = { readonly log: Log; readonly lines: Lines | undefined; readonly crew?: Crew };

/** A gateway that is ready; where it cannot be, says why and ends. */
async function open(settings: Settings, { log, lines, crew }: Around): Promise<RunningGateway> {
  const progress = new ProgressLine();
  try {
    if (process.stderr.isTTY) progress.show({ doing: 'Starting: opening the database' });
    const { startGateway } = await import('../../compose/index.ts');
    const tellMigration = process.stderr.isTTY ? showsMigrations(progress) : logsMigrations(log);
    const onFatal = (error: Error) => endWith(log, 'the database died', error);
    const gateway = await startGateway(settings, {
      log,
      onFatal,
      tellMigration,
      watchesStart: progress,
      watches: lines?.see,
      crew,
    });
    progress.clear();
    if (settings.mode === 'production') tellReady(settings, gateway, log, crew);
    return gateway;
  } catch (error) {
    progress.clear();
    complain(error, log, settings);
    process.exit(exitCodeOf(error, ['start']));
  }
}

async function announce(settings: Settings, gateway: RunningGateway, log: Log): Promise<void> {
  const banner = settings.mode === 'sandbox' ? sandboxBanner : productionBanner;
  const first = await firstSignIn(gateway, log);
  sayStyled(banner({ settings, gateway, style: styleOf(process.stdout), first }));
}

/** Where nobody watches, the log says what keeps an upgraded gateway from being ready. */
function logsMigrations(log: Log): TellsMigration {
  return (name, done, total) => log.info('a migration is applied', { detail: `${name}, ${done + 1} of ${total}` });
}

/** A link is a way in: it is made for who sits at the terminal, and never for a file or a log. */
async function firstSignIn(gateway: RunningGateway, log: Log): Promise<FirstSignIn> {
  try {
    return await gateway.firstSignIn(process.stdout.isTTY === true);
  } catch (error) {
    // Payments go on without anybody who signs in.
    log.warn('nobody could be invited to sign in', { error });
    return { step: 'others', link: undefined };
  }
}

/** Nobody may be there to read a banner. */
function tellReady({ mode, databaseUrl }: Settings, gateway: RunningGateway, log: Log, crew?: Crew): void {
  const database = databasePlace(databaseUrl);
  const outdated = endOfLifeLine(process.versions.node);
  if (outdated && crew?.isLead !== false) log.warn(outdated);
  log.info('the gateway is ready', { version: PACKAGE_VERSION, mode, address: gateway.localUrl, database });
}

async function close({ mode }: Settings, gateway: RunningGateway, log: Log, how?: HowToClose): Promise<void> {
  if (mode === 'sandbox') return gateway.close(how);
  const began = performance.now();
  log.info('the gateway is stopping');
  await gateway.close(how);
  log.info('the gateway has stopped', { milliseconds: Math.round(performance.now() - began) });
}

function endOnFault(log: Log): void {
  process.on('uncaughtException', (error) => endWith(log, 'a fault nobody caught', error));
  process.on('unhandledRejection', (error) => endWith(log, 'a fault nobody waited for', error));
}
