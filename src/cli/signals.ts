// The end of a process that runs until it is told to stop: the first signal lets it finish, a second ends it at once.

import { createLog, type Log } from '../telemetry/log.ts';
import { complain } from './complaint.ts';
import { say } from './terminal.ts';

/** Under npm one Ctrl-C arrives twice, from the terminal and from npm. */
const SAME_KEYPRESS_MS = 500;

export function stopOnSignals(farewell: string, close: () => Promise<void>, log: Log): void {
  let firstAt: number | undefined;
  const onSignal = () => {
    if (firstAt !== undefined) {
      if (performance.now() - firstAt > SAME_KEYPRESS_MS) process.exit(1);
      return;
    }
    firstAt = performance.now();
    say(farewell);
    close().then(
      () => process.exit(0),
      (error) => endWith(log, 'stopping failed', error),
    );
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, onSignal);
  // A server goes on when whoever read its first lines is gone.
  process.stdout.removeAllListeners('error').on('error', () => {});
}

/** Node opens its debugger to who sends this signal, and with it all that is in memory. A listener keeps it shut. */
export function openNoDebugger(): void {
  process.on('SIGUSR1', () => {});
}

export function endWith(log: Log, message: string, error: unknown): never {
  log.error(message, { error });
  process.exit(1);
}

/** Runs a server of its own, that flags alone tell where to listen, until a signal stops it. */
export async function runUntilStopped(
  at: { readonly host: string; readonly port: number },
  start: () => Promise<{ close(): Promise<void> }>,
): Promise<void> {
  const log = createLog((line) => process.stderr.write(line));
  try {
    const running = await start();
    stopOnSignals('Stopping.', () => running.close(), log);
  } catch (error) {
    complain(error, log, { ...at, flagsOnly: true });
    process.exit(1);
  }
}
