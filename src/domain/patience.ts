// A question that may never be answered: callers wait for a limited time, and it is not asked twice at once.

import { systemClock } from './clock.ts';

export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';
}

/** Callers who come while a question is open share its answer. Each waits for at most `limitMs`, then `NoAnswer`. */
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
