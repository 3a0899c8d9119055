// `tender start` with several workers: what is settled once for all of them, and the signals that stop or restart them.

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

/** The port that all workers listen at; where any will do, one that is free. */
function portAt(host = '127.0.0.1', port = 0): Promise<number> {
  if (port !== 0) return Promise.resolve(port);
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, host, () => {
      const { port: free } = probe.address() as { readonly port: number };
      probe.close(() => resolve(free));
    });
  });
}
