// The audit chain as rows. An entry is written under a lock on the chain's head, in the transaction it tells about.

import { type AuditEntry, type AuditHead, type AuditNote, nextEntry } from '../domain/audit.ts';
import type { Session } from './database.ts';
import { COLUMNS, column, statement, table } from './tables/index.ts';

export type AuditStore = {
  append(note: AuditNote, at: number): Promise<AuditEntry>;
  head(): Promise<AuditHead>;
  /** The newest first, those before `before`. */
  list(query: { before: number | undefined; limit: number }): Promise<AuditEntry[]>;
  /** Of the `among` entries before `before` those that fit, the newest first. */
  search(query: AuditQuery): Promise<AuditEntry[]>;
  /** The newest first, those about one thing, such as `order 1234`. */
  about(subject: string, limit: number): Promise<AuditEntry[]>;
  /** The oldest first, those after `after`. */
  following(after: number, limit: number): Promise<AuditEntry[]>;
};

export type AuditQuery = {
  readonly before: number;
  readonly limit: number;
  readonly among: number;
  /** The name of a person, or of whoever else acted, without the way they came. */
  readonly who?: string | undefined;
  /** A deed, also one that failed. */
  readonly action?: string | undefined;
  readonly since?: number | undefined;
  readonly until?: number | undefined;
};

const auditLog = table('audit_log', ['seq'], {
  seq: column.id('seq'),
  at: column.moment('at'),
  who: column.text('who'),
  action: column.text('action'),
  subject: column.text('subject'),
  details: column.text('details'),
  previous: column.hex('previous'),
  hash: column.hex('hash'),
});

/** Holds the same of the last entry. */
const auditHead = auditLog.pick('seq', 'hash');

const statements = {
  head: statement('audit-head', auditHead)`select ${COLUMNS} from audit_head`,
  lock: statement('audit-lock', auditHead)`select ${COLUMNS} from audit_head for update`,
  insert: statement('audit-insert')`${auditLog.insert()}`,
  move: statement('audit-move')`update audit_head set ${auditHead.equal(1, ', ')}`,
  list: statement('audit-list', auditLog)`select ${COLUMNS} from audit_log where seq < $1 order by seq desc limit $2`,
  search: statement('audit-search', auditLog)`
    select ${COLUMNS} from (select * from audit_log where seq < $1 order by seq desc limit $3) audit_log
    where ($4::text is null or who = $4::text or starts_with(who, $4::text || ' by '))
      and ($5::text is null or action = $5::text or action = $5::text || ' failed')
      and ($6::timestamptz is null or at >= $6::timestamptz)
      and ($7::timestamptz is null or at <= $7::timestamptz)
    order by seq desc limit $2`,
  about: statement('audit-about', auditLog)`
    select ${COLUMNS} from audit_log where subject = $1 order by seq desc limit $2`,
  following: statement('audit-following', auditLog)`
    select ${COLUMNS} from audit_log where seq > $1 order by seq limit $2`,
};

type InTransaction = Session & { transaction<T>(work: (session: Session) => Promise<T>): Promise<T> };

export function auditStore(database: InTransaction): AuditStore {
  return {
    append: (note, at) =>
      database.transaction(async (session) => {
        const [head] = await session.query(statements.lock);
        if (!head) throw new Error('the audit chain has lost its head');
        const entry = nextEntry(head, note, at);
        await session.flight([
          { statement: statements.move, values: auditHead.values(entry) },
          { statement: statements.insert, values: auditLog.values(entry) },
        ]);
        return entry;
      }),
    async head() {
      const [row] = await database.query(statements.head);
      if (!row) throw new Error('the audit chain has lost its head');
      return row;
    },
    list: ({ before = Number.MAX_SAFE_INTEGER, limit }) => database.query(statements.list, [before, limit]),
    search: ({ before, limit, among, who, action, since, until }) =>
      database.query(statements.search, [before, limit, among, who, action, written(since), written(until)]),
    about: (subject, limit) => database.query(statements.about, [subject, limit]),
    following: (after, limit) => database.query(statements.following, [after, limit]),
  };
}

const written = (moment: number | undefined) => (moment === undefined ? undefined : new Date(moment).toISOString());
