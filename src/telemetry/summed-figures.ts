// The figures of several processes as those of one: counts are added up, and what is the same for all of them, such as
// how many callbacks are due, is told once. What a process counted stays in the sum after its end: a counter that falls
// would be taken for one that began anew.

import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** The figures of one process, as they travel to another. */
export type Figures = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Kinds of metrics that only grow. */
const GROWING = ['counter', 'histogram'];

/** In the text that Prometheus reads. */
export function textOfAll(all: readonly Figures[]): Promise<string> {
  return summed(all).metrics();
}

/** What stays of processes that have ended. */
export async function keptOf(ended: readonly Figures[]): Promise<Figures> {
  // The names that `type` has in a program are numbers in the package's declaration, and words in what it gives.
  const growing = ended.map((figures) => figures.filter(({ type }) => GROWING.includes(String(type))));
  return (await summed(growing).getMetricsAsJSON()) as unknown as Figures;
}

/** What is no number would not arrive as what it was. */
export function withNumbersOnly(figures: Figures): Figures {
  return figures.map((one) => ({ ...one, values: one.values.filter(({ value }) => Number.isFinite(value)) }));
}

function summed(all: readonly Figures[]): Registry {
  return AggregatorRegistry.aggregate(all.map((figures) => [...figures]));
}
