// Figures for Prometheus: requests, how long they and the acquirer take, what is in flight and how full commits are.

import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { patiently } from '../domain/patience.ts';
import { type Figures, withNumbersOnly } from './summed-figures.ts';

/** A collector waits about a second for all figures, so a single figure must be read sooner. */
const READ_LIMIT_MS = 800;

/** How figures of several processes become one: each has its part, or all look at the same and the worst counts. */
type Over = 'sum' | 'max' | 'min';

export type AcquirerAnswer = { readonly terminal: string; readonly instruction: string; readonly outcome: string };

export class Metrics {
  readonly #registry = new Registry();
  readonly #requests: Histogram<'operation' | 'status'>;
  readonly #answers: Counter<'terminal' | 'instruction' | 'outcome'>;
  readonly #answerTimes: Histogram<'terminal' | 'instruction'>;
  /** Told of every answer of an acquirer, when somebody traces it. */
  answered: ((of: AcquirerAnswer, milliseconds: number) => void) | undefined;

  constructor() {
    collectDefaultMetrics({ register: this.#registry });
    this.#requests = new Histogram({
      name: 'tender_request_seconds',
      help: 'Time from request to reply, by operation and HTTP status.',
      labelNames: ['operation', 'status'],
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10],
      registers: [this.#registry],
    });
    this.#answers = this.counter(
      'tender_acquirer_answers_total',
      'Answers of acquirers, by terminal, instruction and outcome.',
      ['terminal', 'instruction', 'outcome'],
    );
    this.#answerTimes = new Histogram({
      name: 'tender_acquirer_seconds',
      help: 'Time from an instruction to its answer, or until it was given up, by terminal and instruction.',
      labelNames: ['terminal', 'instruction'],
      buckets: [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20, 30],
      registers: [this.#registry],
    });
  }

  observeRequest(operation: string, status: number, milliseconds: number): void {
    this.#requests.observe({ operation, status: String(status) }, milliseconds / 1000);
  }

  observeAnswer(of: AcquirerAnswer, milliseconds: number): void {
    const { terminal, instruction, outcome } = of;
    this.#answers.inc({ terminal, instruction, outcome });
    this.#answerTimes.observe({ terminal, instruction }, milliseconds / 1000);
    this.answered?.(of, milliseconds);
  }

  /** A figure that is read at each collection, and left out when reading it takes too long. */
  gauge(name: string, help: string, read: () => number | Promise<number>, aggregator: Over = 'sum'): void {
    const readSoon = patiently(async () => read(), READ_LIMIT_MS);
    const gauge: Gauge = new Gauge({
      name,
      help,
      aggregator,
      registers: [this.#registry],
      collect: () =>
        readSoon().then(
          (value) => gauge.set(value),
          () => gauge.remove(),
        ),
    });
  }

  /** A figure for each of several, by a label. */
  gauges<Label extends string>(
    { name, help, label }: { name: string; help: string; label: Label },
    read: () => Iterable<readonly [string, number]>,
    aggregator: Over = 'sum',
  ): void {
    const gauge: Gauge<Label> = new Gauge({
      name,
      help,
      aggregator,
      labelNames: [label],
      registers: [this.#registry],
      collect: () => {
        gauge.reset();
        for (const [of, value] of read()) gauge.set({ [label]: of } as Record<Label, string>, value);
      },
    });
  }

  counter<Label extends string>(name: string, help: string, labelNames: Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The same for other processes, which make a sum of it. */
  async figures(): Promise<Figures> {
    return withNumbersOnly(await this.#registry.getMetricsAsJSON());
  }
}
