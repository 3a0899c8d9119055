// Leaves terminals out while their bank does not answer. A node goes by its own count at once, and writes what it
// noticed down for all nodes; each reads that every second. When the pause is over one node tries the line, without
// money, and takes the terminal back when it works.

import type { Acquirer, Answer, InquiryAnswer, ReversalAnswer } from '../../acquirers/acquirer.ts';
import {
  afterCall,
  type BreakerState,
  CLOSED,
  closed,
  isLineFault,
  type LineRecord,
  mayBeTried,
  mustOpen,
  NEW_LINE,
  opened,
} from '../../domain/acquirer/breaker.ts';
import type { Clock } from '../../domain/clock.ts';
import type { TerminalState, TerminalStateStore } from '../../storage/terminal-states.ts';
import type { Log } from '../../telemetry/log.ts';
import type { OpenTerminal } from './terminal.ts';

const LOOK_EVERY_MS = 1_000;
/** A try of a line ends sooner; when its node dies, another one may try it then. */
const TRIED_FOR_MS = 45_000;

export type BreakersParts = {
  readonly clock: Clock;
  readonly log: Log;
  readonly store: TerminalStateStore;
};

type Kept = {
  state: BreakerState;
  /** Of the state in the database; 0 while there is none. */
  version: number;
  /** Since when this node takes it for open, or closed. */
  since: number;
  /** Whether the database has yet to learn it. */
  isNews: boolean;
  line: LineRecord;
  /** Of a write or a try that is under way. */
  busy: Promise<void> | undefined;
};

type AnyAnswer = Answer | InquiryAnswer | ReversalAnswer;

export class Breakers {
  readonly #parts: BreakersParts;
  readonly #kept = new Map<string, Kept>();

  constructor(parts: BreakersParts) {
    this.#parts = parts;
  }

  isOpen(terminal: string): boolean {
    return this.#kept.get(terminal)?.state.isOpen === true;
  }

  stateOf(terminal: string): BreakerState {
    return this.#kept.get(terminal)?.state ?? CLOSED;
  }

  /** The same acquirer, whose answers are counted. */
  over(terminal: string, acquirer: Acquirer): Acquirer {
    const counted = async <A extends AnyAnswer>(isPayment: boolean, ask: () => Promise<A>): Promise<A> => {
      const began = this.#parts.clock.now();
      const answer = await ask();
      this.#heard(terminal, answer, { began, isPayment });
      return answer;
    };
    return {
      send: (instruction, around) => counted(true, () => acquirer.send(instruction, around)),
      inquire: (reference, sent) => counted(false, () => acquirer.inquire(reference, sent)),
      reverse: (reference, sent) => counted(false, () => acquirer.reverse(reference, sent)),
      test: () => acquirer.test(),
      get receive() {
        return acquirer.receive;
      },
      get traced() {
        return acquirer.traced;
      },
      close: () => acquirer.close(),
    };
  }

  #heard(terminal: string, answer: AnyAnswer, { began, isPayment }: { began: number; isPayment: boolean }): void {
    const isFault = isLineFault(answer);
    const kept = this.#keptOf(terminal);
    const { state, since } = kept;
    // Calls from before the last change say nothing about the line as it is now: some end only after a long silence.
    if (isFault === undefined || began < since || (state.isOpen && began === since)) return;
    const now = this.#parts.clock.now();
    if (!state.isOpen) {
      kept.line = afterCall(kept.line, isFault, now);
      const reason = 'reason' in answer ? answer.reason : '';
      if (mustOpen(kept.line)) this.#change(terminal, kept, opened(state, reason, now));
    } else if (!isFault && isPayment) {
      // It was asked because no other terminal fitted, and the bank is back.
      this.#change(terminal, kept, closed(state, now));
    }
  }

  #keptOf(terminal: string): Kept {
    const known = this.#kept.get(terminal);
    if (known) return known;
    const kept = { state: CLOSED, version: 0, since: 0, isNews: false, line: NEW_LINE, busy: undefined };
    this.#kept.set(terminal, kept);
    return kept;
  }

  #change(terminal: string, kept: Kept, state: BreakerState): void {
    this.#take(terminal, kept, state);
    kept.isNews = true;
    // When it fails, the next look writes it.
    this.#alone(kept, () => this.#write(terminal, kept)).catch(() => {});
  }

  #take(terminal: string, kept: Kept, state: BreakerState): void {
    const { clock, log } = this.#parts;
    const was = kept.state.isOpen;
    kept.state = state;
    if (was === state.isOpen) return;
    kept.line = NEW_LINE;
    kept.since = clock.now();
    if (state.isOpen) {
      log.warn('a terminal is left out until it can be reached again', { terminal, detail: state.reason });
    } else log.info('a terminal is in use again', { terminal });
  }

  /** One thing at a time is done about a terminal; what comes meanwhile is left to the next look. */
  #alone(kept: Kept, work: () => Promise<void>): Promise<void> {
    if (kept.busy) return Promise.resolve();
    kept.busy = work().finally(() => {
      kept.busy = undefined;
    });
    return kept.busy;
  }

  async #write(terminal: string, kept: Kept): Promise<void> {
    while (kept.isNews) {
      const { state, version } = kept;
      const isWritten = await this.#parts.store.write({ ...state, terminal, version: version + 1 });
      if (isWritten) {
        kept.version = version + 1;
        if (kept.state === state) kept.isNews = false;
        continue;
      }
      // Another node wrote first. If it noticed the same, its word counts; otherwise ours is the later one.
      const theirs = (await this.#parts.store.read()).find((one) => one.terminal === terminal);
      kept.version = theirs?.version ?? 0;
      if (theirs && theirs.isOpen === kept.state.isOpen) this.#adopt(theirs);
    }
  }

  #adopt(theirs: TerminalState): void {
    const { terminal, version, isOpen, opens, at, reason } = theirs;
    const kept = this.#keptOf(terminal);
    kept.version = version;
    kept.isNews = false;
    this.#take(terminal, kept, { isOpen, opens, at, reason });
  }

  /** Reads what other nodes noticed, and writes down what they do not know yet. */
  async refresh(): Promise<void> {
    for (const theirs of await this.#parts.store.read()) {
      const kept = this.#keptOf(theirs.terminal);
      if (!kept.isNews && !kept.busy && theirs.version > kept.version) this.#adopt(theirs);
    }
    for (const [terminal, kept] of this.#kept) {
      if (kept.isNews) await this.#alone(kept, () => this.#write(terminal, kept));
    }
  }

  async run(
    signal: AbortSignal,
    terminals: { find(name: string): Pick<OpenTerminal, 'acquirer'> | undefined },
    failed: (error: unknown) => void,
  ): Promise<void> {
    while (!signal.aborted) {
      await this.#parts.clock.sleep(LOOK_EVERY_MS, signal);
      if (signal.aborted) return;
      await this.refresh().catch(failed);
      for (const [terminal, kept] of this.#kept) {
        const found = terminals.find(terminal);
        if (!found || kept.isNews || !mayBeTried(kept.state, this.#parts.clock.now())) continue;
        this.#alone(kept, () => this.#tryLine(terminal, kept, found.acquirer)).catch(failed);
      }
    }
  }

  async #tryLine(terminal: string, kept: Kept, acquirer: Acquirer): Promise<void> {
    const { clock, store } = this.#parts;
    const { state, version } = kept;
    const now = clock.now();
    if (!(await store.claim({ ...state, terminal, version }, now, now + TRIED_FOR_MS))) return;
    const lines = await acquirer.test().catch(() => [{ works: false, detail: 'it could not be tried' }]);
    // A payment may have found out meanwhile.
    if (kept.state !== state) return this.#write(terminal, kept);
    const broken = lines.find(({ works }) => !works);
    const next = broken ? opened(state, broken.detail ?? state.reason, clock.now()) : closed(state, clock.now());
    this.#take(terminal, kept, next);
    kept.isNews = true;
    await this.#write(terminal, kept);
  }
}
