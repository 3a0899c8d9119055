// Deciding anew because somebody else was faster, as often as makes sense.

export const MAX_CONFLICTS = 20;

/** Tries until there is no conflict; `what` names what keeps changing. */
export async function againOnConflict<T>(what: string, decideAndWrite: () => Promise<T | 'conflict'>): Promise<T> {
  for (let conflicts = 0; conflicts <= MAX_CONFLICTS; conflicts++) {
    const outcome = await decideAndWrite();
    if (outcome !== 'conflict') return outcome;
  }
  throw keptChanging(what);
}

export function keptChanging(what: string): Error {
  return new Error(`${what} kept changing under us`);
}
