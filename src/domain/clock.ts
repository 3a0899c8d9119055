// Time comes in as an argument, so that every test can stop the clock. Moments are milliseconds since 1970.

export type Clock = {
  now(): number;
  /** Resolves after `ms`, or early when `signal` is aborted. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** Runs `work` when the present turn of the event loop is over. Without it `setImmediate` is used. */
  soon?(work: () => void): void;
  /** How far it is ahead of the true time: a sandbox's may be. */
  readonly aheadMs?: number;
};

export const systemClock: Clock = {
  now: Date.now,
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms);
      if (signal?.aborted) done();
      else signal?.addEventListener('abort', done, { once: true });
    }),
};
