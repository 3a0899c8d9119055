// Virtual time. Whoever awaits anything, awaits a task of this list: a timer, a message that arrives, the next turn of
// a node. One step runs one task and everything that follows from it at once; a seed decides among those that are
// ready. So a history is the same whenever it is run, and between any two steps a node can be dropped or stopped.

import { type Random, seededRandom } from '../../src/acquirers/simulator/seeded-random.ts';
import type { Clock } from '../../src/domain/clock.ts';

/** A running node: what was planned for one that is gone is never done, and waits for one that is stopped. */
export class Process {
  readonly name: string;
  /** How it is named in leases: as the database wants it. */
  readonly instance: string;
  isAlive = true;
  pausedUntil = 0;

  constructor(index: number, life: number) {
    this.name = `node-${index}.${life}`;
    this.instance = `00000000-0000-4000-8000-${String(index * 1_000 + life).padStart(12, '0')}`;
  }
}

type Task = {
  readonly at: number;
  /** Undefined: the world outside, which goes on whoever dies. */
  readonly process: Process | undefined;
  readonly label: string;
  readonly run: () => void;
  /** Looks whether something came due: before that nothing would be found. */
  readonly isPoll: boolean;
  /** Whose message to the database it is. */
  readonly from: Process | undefined;
};

type TaskOptions = { readonly isPoll?: boolean; readonly from?: Process };

/** A node that finds nothing again and again may look less often; it saves most steps of a history. */
const LONGEST_POLL_MS = 60_000;

/** A shorter pause of such a loop is a pause like any other. */
const SHORTEST_POLL_MS = 100;

/** A node's look for due work. */
export type Poll = Clock & { found(count: number): void };

export class Scheduler {
  now: number;
  steps = 0;
  readonly random: Random;
  /** When something in the database comes due. */
  nextDueAt: () => number = () => Number.POSITIVE_INFINITY;
  /** What happened, line by line, if anybody wants to know. */
  readonly trace: string[] | undefined;
  #tasks: Task[] = [];

  constructor({ seed, now, trace }: { seed: number; now: number; trace: string[] | undefined }) {
    this.random = seededRandom(seed);
    this.now = now;
    this.trace = trace;
  }

  /** A whole number from `from` to `to`. */
  between(from: number, to: number): number {
    return from + Math.floor(this.random() * (to - from + 1));
  }

  say(what: string): void {
    this.trace?.push(`${this.now} ${what}`);
  }

  after(
    ms: number,
    process: Process | undefined,
    label: string,
    run: () => void,
    { isPoll = false, from }: TaskOptions = {},
  ): Task {
    const task = { at: this.now + ms, process, label, run, isPoll, from };
    if (process?.isAlive !== false) this.#tasks.push(task);
    return task;
  }

  cancel(task: Task): void {
    const index = this.#tasks.indexOf(task);
    if (index >= 0) this.#tasks.splice(index, 1);
  }

  /** The process is gone, and with it everything it was about to do; also its database, if that was part of it. */
  kill(process: Process, { withDatabase }: { withDatabase: boolean }): void {
    process.isAlive = false;
    this.#tasks = this.#tasks.filter((task) => task.process !== process && !(withDatabase && task.from === process));
  }

  /** Runs one task; false when there is none left that will ever run. */
  async step(): Promise<boolean> {
    const task = this.#take();
    if (!task) return false;
    this.steps += 1;
    this.trace?.push(`${this.now} ${task.process?.name ?? 'world'}: ${task.label}`);
    task.run();
    // Everything that follows without waiting for another task happens before the event loop's next turn.
    await new Promise(setImmediate);
    return true;
  }

  #take(): Task | undefined {
    const dueAt = this.nextDueAt();
    let first = Number.POSITIVE_INFINITY;
    let ready: number[] = [];
    for (const [index, { at, process, isPoll }] of this.#tasks.entries()) {
      const time = Math.max(at, this.now, process?.pausedUntil ?? 0, isPoll ? dueAt : 0);
      if (time > first) continue;
      if (time < first) ready = [];
      first = time;
      ready.push(index);
    }
    if (first === Number.POSITIVE_INFINITY) return undefined;
    this.now = first;
    const index = ready[this.between(0, ready.length - 1)] as number;
    return this.#tasks.splice(index, 1)[0];
  }

  /** Time as a process sees it. */
  clockOf(process: Process): Clock {
    return {
      now: () => this.now,
      sleep: (ms, signal) => this.#sleep(ms, { process, signal, label: 'timer', isPoll: false }),
      soon: (work) => void this.after(0, process, 'turn', work),
    };
  }

  /** The same for a loop that does nothing but look for due work. */
  pollOf(process: Process, label: string): Poll {
    let emptyLooks = 0;
    return {
      ...this.clockOf(process),
      sleep: (ms, signal) => {
        if (ms < SHORTEST_POLL_MS) return this.#sleep(ms, { process, signal, label: 'timer', isPoll: false });
        const pause = Math.min(ms * 2 ** emptyLooks, LONGEST_POLL_MS);
        return this.#sleep(pause, { process, signal, label, isPoll: true });
      },
      found: (count) => {
        emptyLooks = count > 0 ? 0 : Math.min(emptyLooks + 1, 10);
      },
    };
  }

  #sleep(
    ms: number,
    {
      process,
      signal,
      label,
      isPoll,
    }: Pick<Task, 'process' | 'label' | 'isPoll'> & { signal: AbortSignal | undefined },
  ): Promise<void> {
    return new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const early = () => {
        this.cancel(task);
        resolve();
      };
      const done = () => {
        signal?.removeEventListener('abort', early);
        resolve();
      };
      const task = this.after(ms, process, label, done, { isPoll });
      signal?.addEventListener('abort', early, { once: true });
    });
  }
}
