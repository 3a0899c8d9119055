// The line of a terminal: one acquirer to its callers, whichever connection is behind it. When the settings change, new
// calls go by a new connection, and the old one is closed when its calls have ended. A connector that cannot be opened
// sends nothing and says why.

import type { Acquirer, Answer, InquiryAnswer, ReversalAnswer, TestLine } from '../../acquirers/acquirer.ts';
import { fitAnswer, fitReason } from '../../domain/acquirer/fit-answer.ts';
import type { Clock } from '../../domain/clock.ts';

/** What this node knows of the way to a bank. */
export type TerminalConnection = {
  /** When the bank last answered. */
  readonly answeredAt?: number | undefined;
  /** Since when nothing was answered, and why. */
  readonly failingSince?: number | undefined;
  readonly reason?: string | undefined;
  /** Whether new payments avoid it until it can be reached again, on all nodes. */
  readonly isLeftOut?: boolean | undefined;
};

/** How long a test may take before its end is no longer waited for. */
const TEST_LIMIT_MS = 30_000;

/** An acquirer that is closed when it was replaced and nobody waits for its answer. */
class Connection {
  readonly acquirer: Acquirer;
  #calls = 0;
  #isReplaced = false;
  #isClosed = false;
  readonly #notClosed: LineParts['notClosed'];

  constructor(acquirer: Acquirer, notClosed: LineParts['notClosed']) {
    this.acquirer = acquirer;
    this.#notClosed = notClosed;
  }

  async during<T>(call: (acquirer: Acquirer) => Promise<T>): Promise<T> {
    this.#calls += 1;
    try {
      return await call(this.acquirer);
    } finally {
      this.#calls -= 1;
      if (this.#isReplaced) this.#closeWhenIdle();
    }
  }

  replaced(): void {
    this.#isReplaced = true;
    this.#closeWhenIdle();
  }

  #closeWhenIdle(): void {
    if (this.#calls > 0 || this.#isClosed) return;
    this.#isClosed = true;
    this.acquirer.close().catch(this.#notClosed);
  }
}

export type LineParts = {
  readonly clock: Clock;
  /** Called when a connection that is no longer used could not be closed. */
  readonly notClosed: (error: unknown) => void;
};

export class TerminalLine implements Acquirer {
  readonly #parts: LineParts;
  #connection: Connection | undefined;
  /** Why there is no connection. */
  #unopened = 'it was not opened yet';
  /** Opens it once more, after it could not be opened. */
  #open: () => Acquirer = () => {
    throw new Error(this.#unopened);
  };
  #state: TerminalConnection = {};
  #isClosed = false;

  constructor(parts: LineParts) {
    this.#parts = parts;
  }

  get state(): TerminalConnection {
    return this.#state;
  }

  /** Goes on by what this opens. The connection there was ends with its calls, whether or not there is a new one. */
  use(open: () => Acquirer): void {
    this.#connection?.replaced();
    this.#connection = undefined;
    this.#open = open;
    this.#tryToOpen();
  }

  #tryToOpen(): void {
    if (this.#isClosed) return;
    try {
      this.#connection = new Connection(this.#open(), this.#parts.notClosed);
      this.#state = { answeredAt: this.#state.answeredAt };
    } catch (error) {
      this.#unopened = error instanceof Error ? error.message : 'its connector cannot be opened';
      this.#failed(this.#unopened);
    }
  }

  send: Acquirer['send'] = (instruction, around) =>
    this.#ask<Answer>((acquirer) => acquirer.send(instruction, around), 'unsent');

  inquire: Acquirer['inquire'] = (reference, sent) =>
    this.#ask<InquiryAnswer>((acquirer) => acquirer.inquire(reference, sent), 'unknown');

  reverse: Acquirer['reverse'] = (reference, sent) =>
    this.#ask<ReversalAnswer>((acquirer) => acquirer.reverse(reference, sent), 'unknown');

  test: Acquirer['test'] = async () => {
    if (!this.#connection) this.#tryToOpen();
    const connection = this.#connection;
    if (!connection) return [{ what: 'opened', works: false, detail: this.#unopened }];
    const ended = new AbortController();
    const late = this.#parts.clock
      .sleep(TEST_LIMIT_MS, ended.signal)
      .then(() => [{ what: 'ended', works: false, detail: `the test did not end within ${TEST_LIMIT_MS} ms` }]);
    const lines = connection.during((acquirer) => acquirer.test()).then(fitLines, asTestLines);
    return Promise.race([lines, late]).finally(() => ended.abort());
  };

  get receive(): Acquirer['receive'] {
    const connection = this.#connection;
    const receive = connection?.acquirer.receive;
    return connection && receive && ((notice) => connection.during(() => receive(notice)));
  }

  get traced(): Acquirer['traced'] {
    return this.#connection?.acquirer.traced;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#unopened = 'the gateway is stopping';
    const connection = this.#connection;
    this.#connection = undefined;
    await connection?.acquirer.close();
  }

  async #ask<A extends Answer | InquiryAnswer | ReversalAnswer>(
    question: (acquirer: Acquirer) => Promise<A>,
    otherwise: 'unsent' | 'unknown',
  ): Promise<A> {
    // Every kind of answer has these words.
    if (!this.#connection) return { word: otherwise, reason: this.#unopened, fault: 'unreachable' } as A;
    const answer = fitAnswer(await this.#connection.during(question));
    if ('fault' in answer && answer.fault) this.#failed(answer.reason);
    else this.#state = { answeredAt: this.#parts.clock.now() };
    return answer;
  }

  #failed(reason: string): void {
    const { answeredAt, failingSince = this.#parts.clock.now() } = this.#state;
    this.#state = { answeredAt, failingSince, reason };
  }
}

function fitLines(lines: readonly TestLine[]): TestLine[] {
  return lines.map((line) => (line.detail === undefined ? line : { ...line, detail: fitReason(line.detail) }));
}

function asTestLines(error: unknown): TestLine[] {
  return [{ what: 'tested', works: false, detail: error instanceof Error ? error.message : 'the test failed' }];
}
