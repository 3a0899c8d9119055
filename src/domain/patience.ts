// Questions that may stay without an answer: nobody waits longer than told, and nobody asks again while one is open.

import { systemClock } from './clock.ts';

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** The question, asked once however many wait for its answer. Who has waited for `limitMs` hears `NoAnswer`. */
export function patiently<T>(ask: () => Promise<T>, limitMs: number): () => Promise<T> {
  let open: Promise<T> | undefined;
  return () => {
    open ??= ask().finally(() => {
      open = undefined;
    });
    return within(limitMs, open);
  };
}

async function within<T>(limitMs: number, answer: Promise<T>): Promise<T> {
  const answered = new AbortController();
  const late = systemClock.sleep(limitMs, answered.signal).then(() => {
    throw new NoAnswer(`no answer within ${limitMs} ms`);
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    answered.abort();
  }
}
