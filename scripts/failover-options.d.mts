// What failover-options.mjs offers, for what is typed.

export const FAILOVER: { readonly usualTimes: number };

export function readFailoverOptions(options: typeof FAILOVER): {
  readonly times: number;
  readonly patience: 'quick' | 'usual';
  readonly seed: number;
};
