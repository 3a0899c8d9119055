// A terminal is a way to a bank: a connector with its settings. An order keeps the terminals it may be sent to, and
// each of its transactions the one that has, or gets, its money.

import { firstSettings } from '../merchant/setting.ts';
import { type TerminalSettings, terminalSettings } from './terminal-settings.ts';

export type Terminal = { readonly name: string; readonly connector: string } & TerminalSettings;

/** What a terminal can be called. */
export const TERMINAL_NAME = /^[a-z][a-z0-9-]{0,39}$/;

/** The simulated bank of a sandbox, and the terminal of everything that was made before there were others. */
export const DEMO_TERMINAL = 'demo-bank';

/** What routing chose for an order. */
export type Route = {
  /** In the order in which they are tried; never empty. */
  readonly terminals: readonly string[];
  /** Why these, for the order's story. */
  readonly reason: string;
};

/** A terminal before anything else was set: it takes whatever its connector can carry out. */
export function newTerminal(given: Pick<Terminal, 'name' | 'connector'> & Partial<TerminalSettings>): Terminal {
  return { ...given, ...firstSettings(terminalSettings, 0, given) };
}
