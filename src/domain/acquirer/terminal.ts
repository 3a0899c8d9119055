// A terminal is a way to a bank: a connector with its settings. An order keeps the terminals it may be sent to, and
// each of its transactions the one that has, or gets, its money.

/** The simulated bank of a sandbox, and the terminal of everything that was made before there were others. */
export const DEMO_TERMINAL = 'demo-bank';

/** What routing chose for an order. */
export type Route = {
  /** In the order in which they are tried; never empty. */
  readonly terminals: readonly string[];
  /** Why these, for the order's story. */
  readonly reason: string;
};
