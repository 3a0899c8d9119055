// What fuzz-options.mjs offers, for the run itself, which is typed.

export function readFuzzOptions(): {
  readonly minutes: number;
  readonly seed: number;
  readonly databases: readonly ('pglite' | 'postgres')[];
};
