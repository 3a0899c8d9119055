// Starts several workers behind one port, replaces those that end, and restarts them one by one without a gap. It opens
// no database and serves nobody: it accepts connections and hands them to the workers in turn (node:cluster).

import cluster from 'node:cluster';
import { type Clock, systemClock } from '../../domain/clock.ts';
import type { Log } from '../../telemetry/log.ts';
import type { Figures } from '../../telemetry/summed-figures.ts';
import { HiredWorker } from './hired-worker.ts';
import type { Begin, FromWorker } from './messages.ts';
import { Questions } from './questions.ts';
import { failuresAfter, restartDelayMs } from './restart-delay.ts';

/** Longer than a worker takes to end what is in flight; who takes longer is ended, and leases cover what it leaves. */
const LEAVE_MS = 120_000;

export type SupervisorParts = {
  readonly log: Log;
  readonly workers: number;
  /** What every worker is told at its beginning. */
  readonly common: Omit<Begin, 'worker' | 'workers' | 'onlyVersion'>;
  readonly clock?: Clock;
};

/** The place of a worker, whichever process has it. */
type Place = {
  readonly worker: number;
  current?: HiredWorker | undefined;
  next?: HiredWorker | undefined;
  failures: number;
};

export class Supervisor {
  readonly #parts: SupervisorParts;
  readonly #clock: Clock;
  readonly #places: readonly Place[];
  /** All that live, also those that are leaving. */
  readonly #alive = new Set<HiredWorker>();
  readonly #questions = new Questions();
  readonly #stopping = new AbortController();
  #restarting: Promise<void> | undefined;
  #isAskedAgain = false;
  /** Of those that were begun last by somebody's wish; whoever replaces one that died is of it too. */
  #version: string | undefined;

  constructor(parts: SupervisorParts) {
    this.#parts = parts;
    this.#clock = parts.clock ?? systemClock;
    this.#places = Array.from({ length: parts.workers }, (_, index) => ({ worker: index + 1, failures: 0 }));
    cluster.schedulingPolicy = cluster.SCHED_RR;
  }

  /** Resolves when all are ready. The lead is first and alone: it brings the database up to date. */
  async start(): Promise<void> {
    const [lead, ...others] = this.#places as readonly [Place, ...Place[]];
    await this.#hire(lead);
    await Promise.all(others.map((place) => this.#hire(place)));
    lead.current?.send({ kind: 'announce' });
  }

  /** Puts a new worker in the place of each, one by one. When one does not come up the rest stays as it is. */
  restart(): Promise<void> {
    this.#isAskedAgain = this.#restarting !== undefined;
    this.#restarting ??= this.#restartAll().finally(() => {
      this.#restarting = undefined;
    });
    return this.#restarting;
  }

  /** Resolves when all have ended what is in flight. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const all = [...this.#alive];
    for (const one of all) leave(one, { isSucceeded: false });
    await Promise.all(all.map(({ ended }) => ended));
  }

  async #restartAll(): Promise<void> {
    const { log, workers } = this.#parts;
    do {
      this.#isAskedAgain = false;
      const began = performance.now();
      log.info('workers are restarted one by one', { count: workers });
      for (const place of this.#places) {
        if (this.#stopping.signal.aborted) return;
        try {
          await this.#succeed(place);
        } catch (error) {
          log.error('a new worker did not come up: the others stay as they are', { worker: place.worker, error });
          // The one before may have ended meanwhile.
          void this.#replace(place);
          return;
        }
      }
      log.info('all workers are restarted', { count: workers, milliseconds: Math.round(performance.now() - began) });
    } while (this.#isAskedAgain);
  }

  /** One that ended by itself gets a new one anyhow. */
  async #succeed(place: Place): Promise<void> {
    const before = place.current;
    if (!before) return;
    await this.#hire(place);
    leave(before, { isSucceeded: true });
    const late = setTimeout(() => before.kill(), LEAVE_MS);
    await before.ended;
    clearTimeout(late);
  }

  /** Resolves when the new worker has its place. */
  async #hire(place: Place, onlyVersion?: string): Promise<void> {
    const { common, workers } = this.#parts;
    const hired = new HiredWorker({ ...common, worker: place.worker, workers, onlyVersion }, (from, message) =>
      this.#hear(from, message),
    );
    place.next = hired;
    this.#alive.add(hired);
    void hired.ended.then(({ how }) => this.#hasEnded(place, hired, how));
    await hired.ready;
    place.next = undefined;
    place.current = hired;
    this.#version = hired.version;
    if (this.#stopping.signal.aborted) leave(hired, { isSucceeded: false });
  }

  #hasEnded(place: Place, hired: HiredWorker, how: string): void {
    this.#alive.delete(hired);
    this.#questions.ended(hired);
    if (place.next === hired) place.next = undefined;
    if (place.current === hired) place.current = undefined;
    if (hired.isLeaving || !hired.isReady) return;
    this.#parts.log.error('a worker ended', { worker: place.worker, detail: how });
    place.failures = failuresAfter(place.failures, performance.now() - hired.beganAt);
    void this.#replace(place);
  }

  async #replace(place: Place): Promise<void> {
    const { log } = this.#parts;
    const { signal } = this.#stopping;
    while (!place.current && !place.next && !signal.aborted) {
      await this.#clock.sleep(restartDelayMs(place.failures), signal);
      if (place.current || place.next || signal.aborted) return;
      try {
        await this.#hire(place, this.#version);
        log.info('a worker was replaced', { worker: place.worker });
      } catch {
        place.failures += 1;
        log.error('a worker could not be replaced yet', { worker: place.worker, count: place.failures });
      }
    }
  }

  #hear(from: HiredWorker, message: FromWorker): void {
    if (message.kind === 'ask') void this.#questions.ask(from, message, this.#answering());
    if (message.kind === 'answer') this.#questions.answered(from, message);
    if (message.kind === 'ended') this.#questions.lastFigures(from, message.figures as Figures);
  }

  #answering(): readonly HiredWorker[] {
    return [...this.#alive].filter(({ isReady }) => isReady);
  }
}

function leave(hired: HiredWorker, how: { readonly isSucceeded: boolean }): void {
  hired.isLeaving = true;
  hired.send({ kind: 'stop', ...how });
}
