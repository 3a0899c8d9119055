// Questions of a worker to all of them, passed on by the process that started them. Who is too busy to answer soon is
// left out, except of figures: there its last ones count, and those of workers that have ended.

import type { CrewTopic } from '../../compose/index.ts';
import { type Figures, keptOf } from '../../telemetry/summed-figures.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** A worker gives up a figure that it cannot read after 800 ms. */
const ANSWER_MS = 1_000;

/** A worker as far as it is asked. */
export type Answering = { send(message: ToWorker): void };

type Question = {
  readonly waitsFor: Set<Answering>;
  readonly answers: unknown[];
  readonly topic: CrewTopic;
  end(): void;
};

export class Questions {
  readonly #open = new Map<number, Question>();
  readonly #figures = new Map<Answering, Figures>();
  #ended: Figures = [];
  #folding: Promise<void> = Promise.resolve();
  #lastId = 0;

  /** Passes on what `asking` wants to know from all who work. */
  async ask(
    asking: Answering,
    { id, topic }: Extract<FromWorker, { kind: 'ask' }>,
    all: readonly Answering[],
  ): Promise<void> {
    const answers = await this.#answersOf(topic, all);
    if (topic !== 'figures') return asking.send({ kind: 'answers', id, answers });
    // Those that answered a moment ago are among them.
    asking.send({ kind: 'answers', id, answers: [...this.#figures.values(), this.#ended] });
  }

  answered(by: Answering, { id, answer }: Extract<FromWorker, { kind: 'answer' }>): void {
    const question = this.#open.get(id);
    if (question?.topic === 'figures' && answer !== undefined) this.#figures.set(by, answer as Figures);
    if (!question?.waitsFor.delete(by)) return;
    if (answer !== undefined) question.answers.push(answer);
    if (question.waitsFor.size === 0) question.end();
  }

  /** The last figures of a worker that is about to end. */
  lastFigures(of: Answering, figures: Figures): void {
    this.#figures.set(of, figures);
  }

  /** What it counted stays in the sums, as far as it was told. */
  ended(worker: Answering): void {
    for (const question of this.#open.values()) {
      if (question.waitsFor.delete(worker) && question.waitsFor.size === 0) question.end();
    }
    // Figures of another version that cannot be added are left out of the sums; nobody ends because of them.
    this.#folding = this.#folding.then(() => this.#fold(worker)).catch(() => void this.#figures.delete(worker));
  }

  /** One after the other, and in one step, so that nothing is counted twice or not at all. */
  async #fold(worker: Answering): Promise<void> {
    const last = this.#figures.get(worker);
    if (last === undefined) return;
    const kept = await keptOf([this.#ended, last]);
    this.#figures.delete(worker);
    this.#ended = kept;
  }

  #answersOf(topic: CrewTopic, all: readonly Answering[]): Promise<readonly unknown[]> {
    return new Promise((resolve) => {
      this.#lastId += 1;
      const id = this.#lastId;
      const answers: unknown[] = [];
      const end = () => {
        clearTimeout(late);
        this.#open.delete(id);
        resolve(answers);
      };
      const late = setTimeout(end, ANSWER_MS);
      this.#open.set(id, { waitsFor: new Set(all), answers, topic, end });
      for (const one of all) one.send({ kind: 'question', id, topic });
      if (all.length === 0) end();
    });
  }
}
