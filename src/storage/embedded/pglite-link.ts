// The main thread's end of the embedded database: starts the worker, passes protocol bytes to it and hands each
// answer to the stream that asked. When the worker dies, every stream breaks and the owner is told, once.

import { Worker } from 'node:worker_threads';
import type { FsyncFault } from './pglite-fsync.ts';
import { pgliteWorkerFile } from './pglite-worker-file.ts';

/** What the worker opens: a cluster folder, or memory filled from a template folder, or memory after an initdb. */
export type WorkerStart = {
  readonly cluster?: string | undefined;
  readonly template?: string | undefined;
  /** For tests only: PGlite's file layer no longer takes our fsync, or the disk fails once the database is open. */
  readonly fsyncFault?: FsyncFault | undefined;
};

export type WorkerAnswer = { state: 'ready' } | { state: 'failed'; reason: string };

export type Asker = {
  answered(bytes: Uint8Array): void;
  broken(error: Error): void;
};

export type PgliteLink = {
  /** Gives `bytes` away; exactly one answer comes for each call, in order. */
  send(bytes: Uint8Array<ArrayBuffer>, asker: Asker): void;
  /** Ends the worker as a crash would. */
  abort(reason: string): void;
  close(): Promise<void>;
};

/** Even recovery after a crash with a long log is far below. */
const START_TIMEOUT_MS = 600_000;
const CLOSE_TIMEOUT_MS = 30_000;

export async function startPglite(start: WorkerStart, onFatal: (error: Error) => void): Promise<PgliteLink> {
  const worker = new Worker(await pgliteWorkerFile(), { workerData: start, name: 'pglite' });
  const askers: Asker[] = [];
  let phase: 'starting' | 'open' | 'closing' | 'ended' = 'starting';
  let crash = new Error('the embedded database stopped');
  let started: { resolve(): void; reject(error: Error): void };
  const ready = new Promise<void>((resolve, reject) => {
    started = { resolve, reject };
  });
  const ended = new Promise<void>((resolve) => {
    worker.once('exit', () => {
      const last = phase;
      phase = 'ended';
      started.reject(crash);
      for (const asker of askers.splice(0)) asker.broken(crash);
      if (last === 'open') onFatal(crash);
      resolve();
    });
  });
  worker.on('error', (error: Error) => {
    crash = new Error(`the embedded database crashed: ${error.message}`);
  });
  worker.on('message', (message: Uint8Array | WorkerAnswer) => {
    if (message instanceof Uint8Array) return askers.shift()?.answered(message);
    if (message.state === 'failed') {
      crash = new Error(message.reason);
      void worker.terminate();
    }
    if (message.state === 'ready') {
      phase = 'open';
      started.resolve();
    }
  });
  const tooLong = setTimeout(() => {
    crash = new Error('the embedded database did not start in time');
    void worker.terminate();
  }, START_TIMEOUT_MS);
  await ready.finally(() => clearTimeout(tooLong));

  return {
    send(bytes, asker) {
      if (phase !== 'open') return queueMicrotask(() => asker.broken(crash));
      askers.push(asker);
      worker.postMessage(bytes, [bytes.buffer]);
    },
    abort(reason) {
      crash = new Error(reason);
      void worker.terminate();
    },
    async close() {
      if (phase !== 'open') return ended;
      phase = 'closing';
      // What is only in memory needs no checkpoint.
      if (start.cluster === undefined) return void (await worker.terminate());
      worker.postMessage('close');
      const giveUp = setTimeout(() => void worker.terminate(), CLOSE_TIMEOUT_MS);
      await ended;
      clearTimeout(giveUp);
    },
  };
}
