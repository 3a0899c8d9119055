// The audit chain as rows. An entry is written under a lock on the chain's head, in the transaction of what it tells about.

import { type AuditEntry, type AuditHead, type AuditNote, nextEntry } from '../domain/audit.ts';
import type { Row, Session, Statement } from './database.ts';

export type AuditStore = {
  append(note: AuditNote, at: number): Promise<AuditEntry>;
  head(): Promise<AuditHead>;
  /** The newest first, those before `before`. */
  list(query: { before: number | undefined; limit: number }): Promise<AuditEntry[]>;
  /** The oldest first, those after `after`. */
  following(after: number, limit: number): Promise<AuditEntry[]>;
};

const sql = (name: string, text: string): Statement => ({ name: `audit-${name}`, text });

const COLUMNS = 'seq, at, who, action, subject, details, previous, hash';

const statements = {
  head: sql('head', 'select seq, hash from audit_head'),
  lock: sql('lock', 'select seq, hash from audit_head for update'),
  insert: sql(
    'insert',
    `with moved as (update audit_head set seq = $1, hash = $8)
     insert into audit_log (${COLUMNS}) values ($1, $2, $3, $4, $5, $6, $7, $8)`,
  ),
  list: sql('list', `select ${COLUMNS} from audit_log where seq < $1 order by seq desc limit $2`),
  following: sql('following', `select ${COLUMNS} from audit_log where seq > $1 order by seq limit $2`),
};

type InTransaction = Session & { transaction<T>(work: (session: Session) => Promise<T>): Promise<T> };

export function auditStore(database: InTransaction): AuditStore {
  return {
    append: (note, at) =>
      database.transaction(async (session) => {
        const [head] = await session.query(statements.lock);
        if (!head) throw new Error('the audit chain has lost its head');
        const entry = nextEntry(headFrom(head), note, at);
        const { seq, who, action, subject, details, previous, hash } = entry;
        const hashes = [previous, hash].map((digits) => Buffer.from(digits, 'hex'));
        await session.query(statements.insert, [seq, new Date(at), who, action, subject, details, ...hashes]);
        return entry;
      }),
    async head() {
      const [row] = await database.query(statements.head);
      if (!row) throw new Error('the audit chain has lost its head');
      return headFrom(row);
    },
    async list({ before = Number.MAX_SAFE_INTEGER, limit }) {
      return (await database.query(statements.list, [before, limit])).map(entryFrom);
    },
    async following(after, limit) {
      return (await database.query(statements.following, [after, limit])).map(entryFrom);
    },
  };
}

function headFrom(row: Row): AuditHead {
  return { seq: Number(row.seq), hash: (row.hash as Buffer).toString('hex') };
}

function entryFrom(row: Row): AuditEntry {
  return {
    ...headFrom(row),
    at: (row.at as Date).getTime(),
    who: row.who as string,
    action: row.action as string,
    subject: row.subject as string,
    details: row.details as string,
    previous: (row.previous as Buffer).toString('hex'),
  };
}
