// Terminals: read with the configuration by every node, written by administration. What a connector must know and may
// be shown is kept as it was given; its secrets are one sealed value.

import type { Terminal } from '../domain/acquirer/terminal.ts';
import { terminalSettings } from '../domain/acquirer/terminal-settings.ts';
import { AT_TERMINAL } from '../domain/order/stages.ts';
import { sealedColumns } from './cards/card-rows.ts';
import type { Database } from './database.ts';
import { stageIn, stageIs } from './orders/order-words.ts';
import { changeRecords, type Records } from './records/records.ts';
import { recordColumns } from './records/signed-tables.ts';
import { settingColumns } from './setting-columns.ts';
import type { Sealed } from './store.ts';
import { COLUMNS, Columns, column, statement, table } from './tables/index.ts';

export type StoredTerminal = Terminal & {
  /** What the connector was given, without its secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Which secrets of the connector are sealed. */
  readonly secretNames: readonly string[];
  /** The connector's secrets: the text of a JSON object. */
  readonly sealed: Sealed | undefined;
};

const changing = new Columns({
  ...settingColumns(terminalSettings),
  settings: column.jsonb<StoredTerminal['settings']>('settings'),
});

const secrets = new Columns({
  secretNames: column.texts('secret_names'),
  sealed: sealedColumns('sealed', 'data_key_id').optional(),
});

export const terminals = table('terminals', ['name'], {
  name: column.text('name'),
  connector: column.text('connector'),
  ...changing.parts,
  ...secrets.parts,
});
const addedTerminals = terminals.with({ createdAt: column.moment('created_at') });

const statements = {
  read: statement('terminals-read', terminals.with({ record: recordColumns('terminals') }))`
    select ${COLUMNS} from terminals x order by created_at, name`,
  add: statement('terminals-add')`${terminals.insert(addedTerminals)}`,
  set: statement('terminals-set')`update terminals set ${changing.equal(2, ', ')} where ${terminals.key.equal()}`,
  seal: statement('terminals-seal')`update terminals set ${secrets.equal(2, ', ')} where ${terminals.key.equal()}`,
  // What has not ended is due at some time, or waits for a person: both have an index of nothing else.
  underWay: statement('terminals-under-way', { found: column.boolean('found') })`
    select ${COLUMNS} from (select
      exists (select 1 from transactions where due_at is not null and terminal = $1
        and ${stageIn(AT_TERMINAL)})
      or exists (select 1 from transactions where ${stageIs('stuck')} and terminal = $1) as found) x`,
};

export type TerminalStore = ReturnType<typeof terminalStore>;

export function terminalStore(database: Database, records: Records) {
  return {
    add: (terminal: StoredTerminal, at: number) =>
      changeRecords(database, records, async (session) => {
        await session.query(statements.add, addedTerminals.values({ ...terminal, createdAt: at }));
      }),
    /** Secrets that stay the same are not written: a change of the vault's key may be sealing them anew meanwhile. */
    set: (terminal: StoredTerminal, given: 'new secrets' | 'same secrets') =>
      changeRecords(database, records, async (session) => {
        await session.query(statements.set, [terminal.name, ...changing.values(terminal)]);
        if (given === 'same secrets') return;
        await session.query(statements.seal, [terminal.name, ...secrets.values(terminal)]);
      }),
    /** Whether the end of a transaction is not known that went to the terminal, or may have. */
    hasUnderWay: async (name: string) => (await database.query(statements.underWay, [name]))[0]?.found === true,
  };
}

/** All of them, with what their records are judged by. */
export const { read: selectTerminals } = statements;
