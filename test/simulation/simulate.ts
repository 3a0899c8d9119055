// Runs many histories, each from a seed of its own, and reports the first one that breaks something: made as small as
// possible, with what happened in it and how to see it again.

import { type Outcome, runHistory } from './history.ts';
import { type Plan, planOf } from './plan.ts';
import { shrink } from './shrink.ts';

export type Totals = {
  histories: number;
  steps: number;
  crashes: number;
  transactions: number;
  callbacks: number;
};

export type Failure = { readonly seed: number; readonly plan: Plan; readonly outcome: Outcome };

export type Result = { readonly totals: Totals; readonly failure: Failure | undefined };

export type Wanted = {
  /** Histories that come before those of the seeds. */
  readonly first?: readonly Plan[];
  readonly seed: number;
  readonly histories: number;
  /** Ends earlier when the time is up. */
  readonly limitMs?: number;
  /** Whether a history that fails is made smaller. */
  readonly isShrunk?: boolean;
};

export async function simulate(wanted: Wanted): Promise<Result> {
  const { first = [], seed, histories, limitMs = Number.POSITIVE_INFINITY, isShrunk = true } = wanted;
  const totals = { histories: 0, steps: 0, crashes: 0, transactions: 0, callbacks: 0 };
  const endsAt = performance.now() + limitMs;
  for (let index = 0; index < histories && performance.now() < endsAt; index++) {
    const plan = first[index] ?? planOf(seed + index - first.length);
    const outcome = await runHistory(plan);
    totals.histories += 1;
    for (const name of ['steps', 'crashes', 'transactions', 'callbacks'] as const) totals[name] += outcome[name];
    if (outcome.breaches.length === 0) continue;
    const found = isShrunk ? await shrink(plan) : { plan, outcome };
    return { totals, failure: { seed: plan.seed, ...found } };
  }
  return { totals, failure: undefined };
}

export function reportOf({ seed, plan, outcome }: Failure): string {
  return [
    `Seed ${seed} breaks: ${outcome.breaches.join('; ')}`,
    `The smallest history that does, ${plan.nodes} ${plan.nodes === 1 ? 'node' : 'nodes'}:`,
    ...plan.operations.map((one) => `  ${JSON.stringify(one)}`),
    ...plan.disturbances.map((one) => `  ${JSON.stringify(one)}`),
    ...outcome.trace.map((line) => `    ${line}`),
    `Repeat it with: npm run simulate -- --seed ${seed} --histories 1`,
    `Keep it by adding this line to test/simulation/regressions.json:`,
    `  ${JSON.stringify(plan)}`,
  ].join('\n');
}

/** Tells how it went; whether nothing broke. */
export async function main({ seed, histories }: Wanted, say: (line: string) => void): Promise<boolean> {
  say(`seed ${seed}, ${histories} histories`);
  const started = performance.now();
  const { totals, failure } = await simulate({ seed, histories });
  const seconds = (performance.now() - started) / 1000;
  if (failure) say(reportOf(failure));
  const { steps, crashes, transactions, callbacks } = totals;
  say(
    `${totals.histories} histories in ${seconds.toFixed(1)} s (${Math.round((totals.histories / seconds) * 60)} a minute): ` +
      `${steps} steps, ${crashes} crashes, ${transactions} transactions, ${callbacks} callbacks, ${failure ? 1 : 0} broken`,
  );
  return failure === undefined;
}
