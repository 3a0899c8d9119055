// Terminals whose bank does not answer, as all nodes see them. A node that notices a change writes it over the version
// it knows; of several that want to try a line again, one does.

import type { BreakerState } from '../domain/acquirer/breaker.ts';
import type { Database } from './database.ts';
import { COLUMNS, column, statement, table } from './tables/index.ts';

export type TerminalState = BreakerState & { readonly terminal: string; readonly version: number };

export type TerminalStateStore = {
  read(): Promise<TerminalState[]>;
  /** Returns whether the state before had the version below this one. */
  write(state: TerminalState): Promise<boolean>;
  /** Returns whether the caller may try the line until then, and nobody else. */
  claim(state: TerminalState, now: number, until: number): Promise<boolean>;
};

const states = table('terminal_states', ['terminal'], {
  terminal: column.text('terminal'),
  version: column.int('version'),
  isOpen: column.boolean('is_open'),
  opens: column.int('opens'),
  at: column.moment('at'),
  reason: column.text('reason'),
});

const read = statement('terminal-states-read', states)`select ${COLUMNS} from terminal_states`;

const FIRST_VERSION = 1;

const writeFirst = statement('terminal-states-write-first', states.pick('terminal'))`
    insert into terminal_states (${states.names()}, tried_until) values ($1, $2, $3, $4, $5, $6, '-infinity')
    on conflict (terminal) do nothing returning ${COLUMNS}`;

const writeNext = statement('terminal-states-write', states.pick('terminal'))`
    update terminal_states set version = $2, is_open = $3, opens = $4, at = $5, reason = $6, tried_until = '-infinity'
    where terminal = $1 and version = $2 - 1
    returning ${COLUMNS}`;

const claim = statement('terminal-states-claim', states.pick('terminal'))`
    update terminal_states set tried_until = $4
    where terminal = $1 and version = $2 and is_open and tried_until <= $3
    returning ${COLUMNS}`;

export function terminalStateStore(database: Database): TerminalStateStore {
  return {
    read: () => database.query(read, []),
    async write(state) {
      const write = state.version === FIRST_VERSION ? writeFirst : writeNext;
      return (await database.query(write, states.values(state))).length > 0;
    },
    claim: async ({ terminal, version }, now, until) =>
      (await database.query(claim, [terminal, version, new Date(now), new Date(until)])).length > 0,
  };
}
