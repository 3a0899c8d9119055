// What goes wrong, as the plan says it: by the count of calls, or for a while. Remembers when the last trouble ended,
// because from then on everything must come to its end in time.

import type { Disturbance, MessageFate } from './plan.ts';
import type { Scheduler } from './scheduler.ts';

type Of<Kind extends Disturbance['kind']> = Extract<Disturbance, { kind: Kind }>;

export type StorageFate = { readonly fault: Of<'commit'>['fault'] | undefined; readonly ms: number };
export type CallbackFate = Of<'callback'>['end'] | 'taken';

const NO_FAULT: StorageFate = { fault: undefined, ms: 0 };

export class Disturbances {
  /** When the last one was over. */
  endedAt: number;
  readonly #scheduler: Scheduler;
  readonly #startedAt: number;
  readonly #commits: Map<number, Of<'commit'>>;
  readonly #messages: Map<number, Of<'bank-message'>>;
  readonly #callbacks: Map<number, Of<'callback'>>;
  readonly #storageOutages: readonly Of<'storage-outage'>[];
  readonly #bankOutages: readonly Of<'bank-outage'>[];
  readonly #bySteps: readonly (Of<'crash'> | Of<'pause'>)[];
  #commitCount = 0;
  #messageCount = 0;
  #callbackCount = 0;

  constructor(list: readonly Disturbance[], scheduler: Scheduler) {
    const of = <Kind extends Disturbance['kind']>(kind: Kind) =>
      list.filter((one): one is Of<Kind> => one.kind === kind);
    const byIndex = <T extends { index: number }>(found: readonly T[]) => new Map(found.map((one) => [one.index, one]));
    this.#scheduler = scheduler;
    this.#startedAt = scheduler.now;
    this.endedAt = scheduler.now;
    this.#commits = byIndex(of('commit'));
    this.#messages = byIndex(of('bank-message'));
    this.#callbacks = byIndex(of('callback'));
    this.#storageOutages = of('storage-outage');
    this.#bankOutages = of('bank-outage');
    this.#bySteps = [...of('crash'), ...of('pause')];
  }

  atStep(step: number): readonly (Of<'crash'> | Of<'pause'>)[] {
    return this.#bySteps.filter((one) => one.step === step);
  }

  lastUntil(moment: number): void {
    this.endedAt = Math.max(this.endedAt, moment);
  }

  ofStorageCall(isCommit: boolean): StorageFate {
    if (this.#isDuring(this.#storageOutages)) return { fault: 'not-written', ms: 0 };
    if (!isCommit) return NO_FAULT;
    const found = this.#commits.get(this.#commitCount++);
    if (!found) return NO_FAULT;
    this.lastUntil(this.#scheduler.now + 2 * found.ms);
    return found;
  }

  ofBankMessage(): MessageFate {
    const found = this.#messages.get(this.#messageCount++);
    if (this.#isDuring(this.#bankOutages)) return { end: 'refused', requestDelayMs: 0, answerDelayMs: 0 };
    if (!found) return { end: 'answered', requestDelayMs: 0, answerDelayMs: 0 };
    this.lastUntil(this.#scheduler.now + found.requestDelayMs + found.answerDelayMs);
    return found;
  }

  ofCallback(): CallbackFate {
    return this.#callbacks.get(this.#callbackCount++)?.end ?? 'taken';
  }

  #isDuring(outages: readonly { at: number; ms: number }[]): boolean {
    const since = this.#scheduler.now - this.#startedAt;
    const during = outages.find(({ at, ms }) => since >= at && since < at + ms);
    if (during) this.lastUntil(this.#startedAt + during.at + during.ms);
    return during !== undefined;
  }
}
