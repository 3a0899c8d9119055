export function readChaosOptions(): {
  readonly minutes: number;
  readonly seed: number;
  readonly databases: readonly ('pglite' | 'postgres')[];
};
