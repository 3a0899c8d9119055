import type { Histogram } from './histogram.mjs';

type Outcome = 'answered' | 'shed' | 'refused' | 'failed' | 'abandoned';

export class DueRequests {
  readonly latencies: Histogram;
  readonly outcomes: Readonly<Record<Outcome, number>>;
  readonly due: number;
  readonly underWay: number;
  readonly waiting: number;
  readonly nextAt: number | undefined;
  readonly isOver: boolean;
  constructor(of: { readonly next: () => number; readonly untilMs: number; readonly patienceMs?: number });
  advance(now: number): void;
  take(): number | undefined;
  end(dueAt: number, outcome: Outcome, now: number): void;
}
