// What run-options.mjs offers, for the runs themselves, which are typed.

type TimedRun = {
  readonly name: string;
  readonly usualMinutes: number;
  readonly repeats: string;
  readonly others?: readonly string[];
};

export const CHAOS: TimedRun;
export const FUZZ: TimedRun;

export function readRunOptions<Name extends string = 'pglite' | 'postgres'>(
  run: TimedRun,
): {
  readonly minutes: number;
  readonly seed: number;
  readonly databases: readonly Name[];
};
