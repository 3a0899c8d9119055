// `tender start`: a running gateway from its first line to its last. A signal lets it finish what is in flight; a
// second one ends it at once, and what it leaves behind is taken up by the next start.

import type { Command } from 'commander';
import type { RunningGateway, Settings } from '../../compose/index.ts';
import { databasePlace } from '../../storage/connection/database-place.ts';
import { PACKAGE_VERSION } from '../../storage/connection/package-root.ts';
import { createLog, type Log } from '../../telemetry/log.ts';
import { complain } from '../complaint.ts';
import { endOfLifeLine } from '../node-life.ts';
import { refusePlainBase, type SettingValues, settingsFrom, withSettings } from '../setting-options.ts';
import { endWith, openNoDebugger, stopOnSignals } from '../signals.ts';
import { sayStyled, styleOf } from '../terminal.ts';
import { productionBanner, sandboxBanner } from './banner.ts';

const FAREWELL = 'Stopping: finishing what is in flight. A second signal stops at once.';

export function addStart(program: Command): void {
  const command = program
    .command('start')
    .summary('run the gateway')
    .description(
      'Runs the gateway. Without any setting it is a sandbox: an embedded database, a simulated bank and a demo merchant, all in the data folder.',
    );
  withSettings(command).action(async (values: SettingValues) => start(startable(settingsFrom(values))));
}

function startable(settings: Settings): Settings {
  refusePlainBase(settings);
  return settings;
}

async function start(settings: Settings): Promise<void> {
  const log = createLog((line) => process.stderr.write(line));
  endOnFault(log);
  if (settings.mode === 'production') openNoDebugger();
  let gateway: RunningGateway;
  try {
    const { startGateway } = await import('../../compose/index.ts');
    gateway = await startGateway(settings, { log, onFatal: (error) => endWith(log, 'the database died', error) });
  } catch (error) {
    complain(error, log, settings);
    process.exit(1);
  }
  const close = settings.mode === 'production' ? tellInLog(settings, gateway, log) : () => gateway.close();
  stopOnSignals(FAREWELL, close, log);
  const banner = settings.mode === 'sandbox' ? sandboxBanner : productionBanner;
  sayStyled(banner({ settings, gateway, style: styleOf(process.stdout) }));
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
