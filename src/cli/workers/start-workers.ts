// `tender start` with several workers: what is settled once for all of them, and the signals that stop or restart them.

import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { Settings } from '../../compose/index.ts';
import { newLocalToken } from '../../http/admin/admin-door.ts';
import type { Log } from '../../telemetry/log.ts';
import { complain } from '../complaint.ts';
import { exitCodeOf } from '../exit-code.ts';
import { stopOnSignals } from '../signals.ts';
import { Stillborn } from './hired-worker.ts';
import { Supervisor } from './supervisor.ts';

export type Workers = { readonly settings: Settings; readonly workers: number; readonly log: Log };

export async function startWorkers(asked: Workers, farewell: string): Promise<void> {
  const { settings, log } = asked;
  try {
    const { supervisor, close } = await startAll(asked);
    stopOnSignals(farewell, close, log);
    // A terminal that is closed sends it too, and then nobody is left to stop the gateway.
    if (!process.stdout.isTTY) process.on('SIGHUP', () => void supervisor.restart());
  } catch (error) {
    if (error instanceof Stillborn) process.exit(error.code);
    complain(error, log, settings);
    process.exit(exitCodeOf(error, ['start']));
  }
}

async function startAll({ settings, workers, log }: Workers) {
  const { startSharedOutside } = await import('../../compose/index.ts');
  const outside = await startSharedOutside(settings);
  const port = await portAt(settings.host, settings.port);
  const adminPort = await portAt(settings.adminHost, settings.adminPort);
  const common = { adminToken: newLocalToken(), settings: { ...outside.settings, port, adminPort } };
  const supervisor = new Supervisor({ log, workers, common });
  await supervisor.start();
  log.info('all workers are ready', { count: workers });
  const close = async () => {
    await supervisor.stop();
    await outside.close();
  };
  return { supervisor, close };
}

/** Below those that systems give to whoever asks for any: until the workers listen there, nobody gets it by chance. */
const LOWEST_PORT = 20_000;
const PORTS = 12_000;
const MOST_LOOKS = 20;

/** The port that all workers listen at; where any will do, one that is free. */
async function portAt(host = '127.0.0.1', port = 0): Promise<number> {
  if (port !== 0) return port;
  for (let looks = 0; looks < MOST_LOOKS; looks++) {
    const chosen = LOWEST_PORT + randomInt(PORTS);
    if (await isFree(host, chosen)) return chosen;
  }
  throw new Error(`no port of ${host} is free`);
}

function isFree(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer().once('error', () => resolve(false));
    probe.listen(port, host, () => probe.close(() => resolve(true)));
  });
}
