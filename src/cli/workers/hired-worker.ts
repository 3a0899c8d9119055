// The process of one worker, as the process that started it sees it.

import cluster, { type Worker } from 'node:cluster';
import { systemClock } from '../../domain/clock.ts';
import type { Begin, FromWorker, ToWorker } from './messages.ts';

/** A worker that ended before it was ready. It has said itself why. */
export class Stillborn extends Error {
  override readonly name = 'Stillborn';
  readonly code: number;

  constructor(code: number) {
    super(`a worker ended with code ${code} before it was ready`);
    this.code = code;
  }
}

/** What a worker said before its end is read by then. */
const LAST_WORDS_MS = 100;

type End = { readonly code: number; readonly how: string };

export class HiredWorker {
  readonly #worker: Worker;
  readonly beganAt = performance.now();
  /** Rejects with `Stillborn` when it ends before. */
  readonly ready: Promise<void>;
  readonly ended: Promise<End>;
  isReady = false;
  /** Known once it is ready. */
  version: string | undefined;
  /** It was told to stop. */
  isLeaving = false;

  constructor(begin: Begin, hear: (from: HiredWorker, message: FromWorker) => void) {
    const worker = cluster.fork();
    this.#worker = worker;
    worker.on('error', () => {}); // a message to one that has just ended
    const exited = new Promise<End>((resolve) => {
      worker.once('exit', (code: number | null, signal: string | null) =>
        resolve({ code: code ?? 1, how: signal ?? `code ${code}` }),
      );
    });
    // Its last messages have been read when the channel is closed, which that of one that was killed need not be.
    const silent = new Promise<void>((resolve) => worker.once('disconnect', () => resolve()));
    this.ended = exited.then(async (end) => {
      await Promise.race([silent, systemClock.sleep(LAST_WORDS_MS)]);
      if (worker.isConnected()) worker.process.disconnect();
      return end;
    });
    this.ready = new Promise((resolve, reject) => {
      worker.on('message', (message: FromWorker) => {
        if (message.kind === 'here') return this.send({ kind: 'begin', ...begin });
        if (message.kind !== 'ready') return hear(this, message);
        this.isReady = true;
        this.version = message.version;
        resolve();
      });
      void this.ended.then(({ code }) => reject(new Stillborn(code)));
    });
    this.ready.catch(() => {}); // who waits for it is told all the same
  }

  send(message: ToWorker): void {
    if (this.#worker.isConnected()) this.#worker.send(message);
  }

  kill(): void {
    this.#worker.process.kill('SIGKILL');
  }
}
