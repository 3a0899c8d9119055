// The MACs of records: read, judged, and written in the transaction that changes what they are about. Only rows that
// this transaction has changed are signed, and only over rows that were right before: nobody's change becomes right
// because an administrator has changed something beside it.

import { present } from '../../domain/present.ts';
import {
  changedRecords,
  judgeRecords,
  putBack,
  type RecordContent,
  type RecordJudgement,
  type RecordMac,
  type RecordTable,
  recordSetText,
  recordText,
  type TamperedRecord,
  TamperedRecords,
} from '../../domain/records.ts';
import type { RecordKey } from '../../vault/vault.ts';
import { changeConfiguration, selectVersion } from '../configuration-version.ts';
import { type Answers, type Database, plainStep, type Session, type Statement, type Step } from '../database.ts';
import { COLUMNS, column, type RowOf, statement, table } from '../tables/index.ts';
import { recordColumns, type SignedTableName, signedTables } from './signed-tables.ts';

/** Who has the key: the vault, which reads it again by itself. */
export type RecordKeys = { readonly recordKey: RecordKey | undefined };

const recordMacs = table('record_macs', ['table', 'key'], {
  table: column.text('table_name'),
  key: column.text('record_key'),
  mac: column.hex('mac'),
});

const recordSets = table('record_sets', ['table'], {
  table: column.text('table_name'),
  dataKeyId: column.int('data_key_id'),
  counter: column.id('counter'),
  mac: column.hex('mac'),
});

const statements = {
  macs: statement('records-macs', recordMacs)`select ${COLUMNS} from record_macs`,
  sets: statement('records-sets', recordSets)`select ${COLUMNS} from record_sets`,
  macsOf: statement('records-macs-of', recordMacs)`select ${COLUMNS} from record_macs where table_name = $1`,
  setOf: statement('records-set-of', recordSets)`select ${COLUMNS} from record_sets where table_name = $1`,
  contents: signedTables.map((one) => ({
    table: one.name,
    statement: statement(`records-of-${one.name}`, recordColumns(one))`select ${COLUMNS} from ${one.name} x`,
  })),
  tables: statement('records-tables', { name: column.text('tablename::text') })`
    select ${COLUMNS} from pg_tables where schemaname = current_schema()`,
  putMacs: statement('records-put-macs')`
    insert into record_macs (table_name, record_key, mac)
    select $1, * from unnest($2::text[], $3::bytea[])
    on conflict (table_name, record_key) do update set mac = excluded.mac`,
  removeMacs: statement('records-remove-macs')`
    delete from record_macs where table_name = $1 and record_key = any($2::text[])`,
  removeAllMacs: statement('records-remove-all-macs')`delete from record_macs where table_name = $1`,
  putSet: statement('records-put-set')`
    ${recordSets.insert()}
    on conflict (table_name) do update set data_key_id = excluded.data_key_id, counter = excluded.counter,
      mac = excluded.mac`,
  // Whoever may make one could let our own transactions write for them.
  triggers: statement('records-triggers', { table: column.text('"table"'), name: column.text('name') })`
    select ${COLUMNS} from (
      select c.relname::text as "table", 'trigger ' || t.tgname as name
        from pg_trigger t join pg_class c on c.oid = t.tgrelid
        where not t.tgisinternal and c.relnamespace = current_schema()::regnamespace
      union all
      select c.relname::text, 'rule ' || r.rulename
        from pg_rewrite r join pg_class c on c.oid = r.ev_class
        where r.rulename <> '_RETURN' and c.relnamespace = current_schema()::regnamespace
    ) y order by 1, 2`,
};

type StoredMarks = {
  readonly macs: ReadonlyMap<string, ReadonlyMap<string, string>>;
  readonly sets: ReadonlyMap<string, { counter: number; dataKeyId: number; mac: string }>;
};

function storedMarks(
  macs: readonly RowOf<typeof recordMacs.parts>[],
  sets: readonly RowOf<typeof recordSets.parts>[],
): StoredMarks {
  const byTable = new Map<string, Map<string, string>>();
  for (const { table, key, mac } of macs) {
    const own = byTable.get(table) ?? new Map<string, string>();
    byTable.set(table, own.set(key, mac));
  }
  return { macs: byTable, sets: new Map(sets.map((one) => [one.table, one])) };
}

export type LookedAt = { readonly read: RecordTable; readonly judgement: RecordJudgement };

/** How often a reading is begun again because somebody has changed records meanwhile. */
const MAX_READINGS = 20;

export class Records {
  readonly #keys: RecordKeys;
  readonly #counters: Map<string, number> | undefined;

  /** With `counters` it remembers how often tables were changed; only for readings of what is committed. */
  constructor(keys: RecordKeys, counters?: Map<string, number>) {
    this.#keys = keys;
    this.#counters = counters;
  }

  /**
   * The rows of one table, without the rest of the configuration: all of them, and those that are right. Fails when
   * some are missing or were put back, because nobody can tell which.
   */
  async readSigned<R extends { readonly record: RecordContent }>(
    session: Session,
    table: SignedTableName,
    whole: Statement<R>,
  ): Promise<{ readonly all: readonly R[]; readonly good: readonly R[] }> {
    for (let readings = 1; readings <= MAX_READINGS; readings++) {
      const [before, macs, sets, all, after] = await session.flight([
        plainStep(selectVersion),
        { statement: statements.macsOf, values: [table] },
        { statement: statements.setOf, values: [table] },
        plainStep(whole),
        plainStep(selectVersion),
      ]);
      // A change in the middle of a reading would look like rows that are missing.
      if (before[0]?.version !== after[0]?.version) continue;
      const marks = new RecordMarks(storedMarks(macs, sets), this.#keys.recordKey);
      const { good, isWhole, tampered } = marks.judge(
        table,
        all.map(({ record }) => record),
      ).judgement;
      if (!isWhole) throw new TamperedRecords(tampered.map(({ place, cause }) => `${place} ${cause}`).join('; '));
      this.#remember(table, marks.counters.get(table) ?? 0);
      return { all, good: all.filter(({ record }) => good.has(record.key)) };
    }
    throw new Error('records are changed faster than they can be read');
  }

  #remember(table: string, counter: number): void {
    const [older] = putBack(table, this.#counters?.get(table), counter);
    if (older) throw new TamperedRecords(`${older.place} ${older.cause}`);
    this.#counters?.set(table, counter);
  }

  /** What tables are judged by, from what `markSteps` have read. */
  marksFrom([macs, sets]: Answers<typeof markSteps>): RecordMarks {
    return new RecordMarks(storedMarks(macs, sets), this.#keys.recordKey);
  }

  /** Every signed table, judged; before a migration, those that there are. */
  async look(session: Session, { migrating = false } = {}): Promise<Map<string, LookedAt>> {
    const there = migrating ? await tablesOf(session) : undefined;
    const contents = statements.contents.filter(({ table }) => there?.has(table) ?? true);
    const [macs, sets, ...rows] = await session.flight([
      ...markSteps,
      ...contents.map(({ statement }) => plainStep(statement)),
    ]);
    const marks = this.marksFrom([macs, sets]);
    return new Map(contents.map(({ table }, index) => [table, marks.judge(table, present(rows[index]))]));
  }

  async triggers(session: Session): Promise<TamperedRecord[]> {
    return (await session.query(statements.triggers)).map(asTampered);
  }

  /** Signs what the transaction has changed since `before`. */
  async sign(session: Session, before: ReadonlyMap<string, LookedAt>): Promise<void> {
    const key = this.#keys.recordKey;
    if (!key) throw new TamperedRecords(UNSIGNED);
    const [triggers, ...contents] = await session.flight([
      plainStep(statements.triggers),
      ...statements.contents.map(({ statement }) => plainStep(statement)),
    ]);
    const [trigger] = triggers.map(asTampered);
    if (trigger) throw new TamperedRecords(`${trigger.place} ${trigger.cause}; nothing is signed while it is there`);
    for (const [index, { table }] of statements.contents.entries()) {
      const was = present(before.get(table));
      const { written, removed } = changedRecords(was.read.rows, present(contents[index]));
      if (written.length + removed.length === 0) continue;
      refuseTampered(was, written);
      const macs = new Map(was.read.macs);
      for (const gone of removed) macs.delete(gone);
      const fresh = signedWith(key, table, written);
      for (const [one, mac] of fresh) macs.set(one, mac);
      const counter = (was.read.set?.counter ?? 0) + 1;
      await session.flight([
        { statement: statements.removeMacs, values: [table, removed] },
        putMacs(table, fresh),
        putSet(key, { table, counter, macs: macs.values() }),
      ]);
    }
  }

  /**
   * Signs every row as it is now. With `before`, what was wrong then stays as wrong as it was. The counter is a moment,
   * so that it is higher than any that was there before, whatever somebody has put back.
   */
  async signAll(session: Session, { at, key = this.#keys.recordKey, before }: SignAllOptions): Promise<number> {
    if (!key) throw new TamperedRecords(UNSIGNED);
    const { sets } = this.marksFrom(await session.flight(markSteps)).stored;
    let signed = 0;
    for (const { table, statement } of statements.contents) {
      const judgement = before?.get(table)?.judgement;
      const rows = (await session.query(statement)).filter((row) => judgement?.good.has(row.key) ?? true);
      const macs = signedWith(key, table, rows);
      const counter = Math.max((sets.get(table)?.counter ?? 0) + 1, at);
      const isWhole = judgement?.isWhole ?? true;
      await session.flight([
        { statement: statements.removeAllMacs, values: [table] },
        putMacs(table, macs),
        ...(isWhole ? [putSet(key, { table, counter, macs: macs.values() })] : []),
      ]);
      signed += rows.length;
    }
    return signed;
  }

  /** How many records there are, and everything that is wrong with their tables. */
  async lookForTampering(session: Session): Promise<{ count: number; tampered: TamperedRecord[] }> {
    const looked = [...(await this.look(session)).values()];
    return {
      count: looked.reduce((sum, { read }) => sum + read.rows.length, 0),
      tampered: [...looked.flatMap(({ judgement }) => judgement.tampered), ...(await this.triggers(session))],
    };
  }
}

/** What `marksFrom` wants, for a flight with the tables themselves. */
export const markSteps = [plainStep(statements.macs), plainStep(statements.sets)] as const;

function asTampered({ table, name }: { readonly table: string; readonly name: string }): TamperedRecord {
  const cause = 'is none of ours: whatever is written to the table can be changed by it';
  return { table, place: `${name} on ${table}`, cause };
}

async function tablesOf(session: Session): Promise<ReadonlySet<string>> {
  const found = await session.query(statements.tables);
  return new Set(found.map(({ name }) => name));
}

type SignAllOptions = {
  readonly at: number;
  readonly key?: RecordKey | undefined;
  readonly before?: ReadonlyMap<string, LookedAt> | undefined;
};

const UNSIGNED = 'the records of this database are not signed; "tender record sign" signs them as they are';

function refuseTampered({ judgement: { good, isWhole, tampered }, read }: LookedAt, written: readonly RecordContent[]) {
  const wasThere = new Set(read.rows.map(({ key }) => key));
  const isRight = isWhole && written.every(({ key }) => !wasThere.has(key) || good.has(key));
  if (isRight) return;
  const [first] = tampered;
  throw new TamperedRecords(
    `${first?.place} ${first?.cause}; look at it with "tender verify", then accept it with "tender record sign"`,
  );
}

function signedWith(key: RecordKey, table: string, rows: readonly RecordContent[]): Map<string, string> {
  return new Map(rows.map((row) => [row.key, key.mac(recordText(table, row)).toString('hex')]));
}

function putMacs(table: string, macs: ReadonlyMap<string, string>): Step {
  const bytes = [...macs.values()].map((mac) => Buffer.from(mac, 'hex'));
  return { statement: statements.putMacs, values: [table, [...macs.keys()], bytes] };
}

type NewSet = { readonly table: string; readonly counter: number; readonly macs: Iterable<string> };

function putSet({ dataKeyId, mac }: RecordKey, { table, counter, macs }: NewSet): Step {
  const signed = mac(recordSetText(table, { counter, dataKeyId }, macs)).toString('hex');
  return { statement: statements.putSet, values: recordSets.values({ table, dataKeyId, counter, mac: signed }) };
}

/** The MACs of all tables as they were read, and what was found wrong by them so far. */
export class RecordMarks {
  readonly stored: StoredMarks;
  readonly #key: RecordKey | undefined;
  readonly tampered: TamperedRecord[] = [];
  /** Tables in which rows are missing or were put back. */
  readonly broken = new Set<string>();

  constructor(stored: StoredMarks, key: RecordKey | undefined) {
    this.stored = stored;
    this.#key = key;
  }

  get counters(): ReadonlyMap<string, number> {
    return new Map([...this.stored.sets].map(([table, { counter }]) => [table, counter]));
  }

  judge(table: string, rows: readonly RecordContent[]): LookedAt {
    const set = this.stored.sets.get(table);
    const read: RecordTable = { table, rows, macs: this.stored.macs.get(table) ?? new Map(), set };
    return { read, judgement: judgeRecords(read, this.#macUnder(set?.dataKeyId)) };
  }

  /** Those of the rows that are right, without what they were judged by. All rows of the table must be given. */
  keepSigned<R extends { readonly record: RecordContent }>(
    table: SignedTableName,
    rows: readonly R[],
  ): Omit<R, 'record'>[] {
    const { good, isWhole, tampered } = this.judge(
      table,
      rows.map(({ record }) => record),
    ).judgement;
    this.tampered.push(...tampered);
    if (!isWhole) this.broken.add(table);
    return rows.flatMap(({ record, ...row }) => (good.has(record.key) ? [row] : []));
  }

  /** Only the vault's present key counts: an older one may be known to somebody. */
  #macUnder(dataKeyId: number | undefined): RecordMac | undefined {
    const key = this.#key;
    return key && dataKeyId === key.dataKeyId ? (text) => key.mac(text).toString('hex') : undefined;
  }
}

/** A change of signed tables: it counts as one of the configuration, and is signed in its own transaction. */
export function changeRecords<T>(
  database: Database,
  records: Records,
  work: (session: Session) => Promise<T>,
): Promise<T> {
  return changeConfiguration(database, async (session) => {
    const before = await records.look(session);
    const answer = await work(session);
    await records.sign(session, before);
    return answer;
  });
}
