// `tender start`: a running gateway from its first line to its last. A signal lets it finish what is in flight; a
// second one ends it at once, and what it leaves behind is taken up by the next start.

import type { Command } from 'commander';
import type { RunningGateway, Settings } from '../../compose/index.ts';
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
import { productionBanner, sandboxBanner } from './banner.ts';

const FAREWELL = 'Stopping: finishing what is in flight. A second signal stops at once.';

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
  const log = createLog((line) => process.stderr.write(line));
  endOnFault(log);
  if (settings.mode === 'production') openNoDebugger();
  const progress = new ProgressLine();
  let gateway: RunningGateway;
  try {
    if (process.stderr.isTTY) progress.show({ doing: 'Starting: opening the database' });
    const { startGateway } = await import('../../compose/index.ts');
    const tellMigration = process.stderr.isTTY ? showsMigrations(progress) : logsMigrations(log);
    const onFatal = (error: Error) => endWith(log, 'the database died', error);
    gateway = await startGateway(settings, {
      log,
      onFatal,
      tellMigration,
      watchesStart: progress,
      watches: lines?.see,
    });
    progress.clear();
  } catch (error) {
    progress.clear();
    complain(error, log, settings);
    process.exit(exitCodeOf(error, ['start']));
  }
  const close = settings.mode === 'production' ? tellInLog(settings, gateway, log) : () => gateway.close();
  stopOnSignals(FAREWELL, close, log);
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

/**
 * Nobody may be there to read a banner: says in the log that it is ready, and gives back a stop that is told there too.
 */
function tellInLog({ mode, databaseUrl }: Settings, gateway: RunningGateway, log: Log): () => Promise<void> {
  const database = databasePlace(databaseUrl);
  const outdated = endOfLifeLine(process.versions.node);
  if (outdated) log.warn(outdated);
  log.info('the gateway is ready', { version: PACKAGE_VERSION, mode, address: gateway.localUrl, database });
  return async () => {
    const began = performance.now();
    log.info('the gateway is stopping');
    await gateway.close();
    log.info('the gateway has stopped', { milliseconds: Math.round(performance.now() - began) });
  };
}

function endOnFault(log: Log): void {
  process.on('uncaughtException', (error) => endWith(log, 'a fault nobody caught', error));
  process.on('unhandledRejection', (error) => endWith(log, 'a fault nobody waited for', error));
}
