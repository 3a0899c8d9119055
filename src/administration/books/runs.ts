// Slow work that somebody began at this node and looks at later: how far it is, and what came of it. It is kept in
// memory: another node knows nothing of it, and it ends with the process.

import type { Clock } from '../../domain/clock.ts';
import type { ProgressState, ProgressWatch } from '../../domain/progress-text.ts';
import { InvalidInput, OutOfReach } from '../verb/invalid-input.ts';

export const RUN_KINDS = ['verify', 'reconcile', 'settlement', 'audit', 'orders', 'clock'] as const;
export type RunKind = (typeof RUN_KINDS)[number];

export const RUN_STATES = ['under way', 'good', 'bad', 'stopped', 'failed'] as const;
export type RunState = (typeof RUN_STATES)[number];

/** Something that a run tells of: what differs, what waits, or what was made. */
export type RunFinding = {
  readonly kind: 'violation' | 'waiting' | 'difference' | 'made';
  readonly place: string;
  readonly cause: string;
  readonly ours?: string | undefined;
  readonly theirs?: string | undefined;
  readonly orderId?: number | undefined;
};

export type RunResult = { readonly isGood: boolean; readonly says: string; readonly findings: readonly RunFinding[] };

export type Run = {
  readonly runId: number;
  readonly kind: RunKind;
  readonly who: string;
  readonly startedAt: number;
  readonly endedAt?: number;
  readonly state: RunState;
  readonly progress: ProgressState;
  /** What came of it, in a sentence. */
  readonly says?: string;
  /** Of many the first. */
  readonly findings: readonly RunFinding[];
  readonly found: number;
};

/** Of each kind the last few, and of each run so many findings. */
const RUNS_KEPT = 5;
const FINDINGS_KEPT = 500;

/** Thrown into the work of a run that somebody stopped. */
class RunStopped extends Error {
  override readonly name = 'RunStopped';
}

/** `found` tells of something before the end, which tells of it once more. */
export type RunWatch = ProgressWatch & { readonly signal: AbortSignal; found(finding: RunFinding): void };

type Work = {
  readonly kind: RunKind;
  readonly who: string;
  readonly work: (watch: RunWatch) => Promise<RunResult>;
  /** Tells the audit chain how it ended. */
  readonly tell: (run: Run) => Promise<void>;
};

export class Runs {
  readonly #clock: Clock;
  readonly #failed: (error: unknown) => void;
  readonly #runs = new Map<number, Run>();
  readonly #underWay = new Map<number, { readonly stopping: AbortController; readonly ended: Promise<void> }>();
  #lastId = 0;
  #isClosed = false;

  /** `failed` hears of faults that the person who began the run can do nothing about. */
  constructor({ clock, failed }: { readonly clock: Clock; readonly failed: (error: unknown) => void }) {
    this.#clock = clock;
    this.#failed = failed;
  }

  /** The newest first. */
  list(kind?: RunKind): readonly Run[] {
    return [...this.#runs.values()].filter((run) => kind === undefined || run.kind === kind).reverse();
  }

  find(runId: number): Run {
    const run = this.#runs.get(runId);
    if (run) return run;
    throw new InvalidInput(`this node knows no run ${runId}: it has forgotten it, or another node did it`);
  }

  /** Returns at once. Only one run of a kind is under way at a node. */
  begin({ kind, who, work, tell }: Work): Run {
    if (this.#isClosed) throw new InvalidInput('the gateway is about to stop');
    const other = this.list(kind).find(({ state }) => state === 'under way');
    if (other) throw new InvalidInput(`one is under way already, begun by ${other.who}; wait for it, or stop it`);
    this.#lastId += 1;
    const runId = this.#lastId;
    const startedAt = this.#clock.now();
    const progress = { doing: 'Beginning' };
    const run: Run = { runId, kind, who, startedAt, state: 'under way', progress, findings: [], found: 0 };
    this.#runs.set(runId, run);
    for (const old of this.list(kind).slice(RUNS_KEPT)) this.#runs.delete(old.runId);
    const stopping = new AbortController();
    const ended = this.#carryOut(runId, work, stopping.signal).then((run) => tell(run).catch(this.#failed));
    this.#underWay.set(runId, { stopping, ended: ended.finally(() => this.#underWay.delete(runId)) });
    return run;
  }

  /** It ends with the part that it is at. */
  stop(runId: number): Run {
    const run = this.find(runId);
    this.#underWay.get(runId)?.stopping.abort();
    return run;
  }

  /** Stops whatever is under way, and waits for its end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { stopping } of this.#underWay.values()) stopping.abort();
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended));
  }

  async #carryOut(runId: number, work: Work['work'], signal: AbortSignal): Promise<Run> {
    try {
      const show = (progress: ProgressState) => {
        if (signal.aborted) throw new RunStopped();
        this.#change(runId, { progress });
      };
      const found = (finding: RunFinding) => {
        const { findings: before, found: count } = this.find(runId);
        this.#change(runId, { findings: [...before, finding].slice(0, FINDINGS_KEPT), found: count + 1 });
      };
      const { isGood, says, findings } = await work({ show, signal, found });
      const kept = findings.slice(0, FINDINGS_KEPT);
      return this.#end(runId, { state: isGood ? 'good' : 'bad', says, findings: kept, found: findings.length });
    } catch (error) {
      if (error instanceof RunStopped) return this.#end(runId, { state: 'stopped', says: 'It was stopped.' });
      const isTold = error instanceof InvalidInput || error instanceof OutOfReach;
      if (isTold) return this.#end(runId, { state: 'failed', says: error.message });
      this.#failed(error);
      return this.#end(runId, { state: 'failed', says: 'It came to no end; the log of the gateway says why.' });
    }
  }

  #end(runId: number, end: Partial<Run>): Run {
    return this.#change(runId, { ...end, endedAt: this.#clock.now() });
  }

  #change(runId: number, changes: Partial<Run>): Run {
    const run = { ...this.find(runId), ...changes };
    this.#runs.set(runId, run);
    return run;
  }
}
