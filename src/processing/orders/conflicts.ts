// Decides anew when another writer was faster, a limited number of times.

export const MAX_CONFLICTS = 20;

/** Tries until there is no conflict; `what` names the changing thing in the error. */
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
