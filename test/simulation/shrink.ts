// Makes a history that fails smaller: leaves out operations and disturbances, many at once and then one by one, as long
// as something is still broken.

import { type Outcome, runHistory } from './history.ts';
import type { Plan } from './plan.ts';

/** Histories that are tried at most. */
const MAX_TRIES = 400;

export type Shrunk = { readonly plan: Plan; readonly outcome: Outcome };

export async function shrink(plan: Plan): Promise<Shrunk> {
  let smallest = plan;
  let tries = 0;
  const stillFails = async (candidate: Plan) => {
    tries += 1;
    return tries <= MAX_TRIES && (await runHistory(candidate)).breaches.length > 0;
  };
  for (const part of ['disturbances', 'operations', 'disturbances', 'operations'] as const) {
    for (let size = Math.ceil(smallest[part].length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let from = 0; from < smallest[part].length; ) {
        const rest = smallest[part].filter((_, index) => index < from || index >= from + size);
        const candidate = { ...smallest, [part]: rest } as Plan;
        if (await stillFails(candidate)) smallest = candidate;
        else from += size;
      }
    }
  }
  if (smallest.nodes > 1 && (await stillFails({ ...smallest, nodes: 1 }))) smallest = { ...smallest, nodes: 1 };
  return { plan: smallest, outcome: await runHistory(smallest, { isTraced: true }) };
}
