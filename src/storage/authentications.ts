// Authentications under way and what was said in them: begun once per transaction, saved only over the version read, and
// claimed when due. A claim counts as a change, so that whoever lost its lease cannot save any more.

import type {
  AuthenticationKey,
  AuthenticationLine,
  AuthenticationOutcome,
  AuthenticationRecord,
  AuthenticationStep,
  Taken,
} from '../domain/three-d-secure/authentication-record.ts';
import type { Database, Row, Statement } from './database.ts';
import type { Sealed } from './store.ts';

export type AuthenticationSave = {
  readonly record: AuthenticationRecord;
  /** Somebody is at work on it until it is due. */
  readonly isLeased: boolean;
  readonly lines: readonly AuthenticationLine[];
  /** The issuer's proof, when it has come. */
  readonly proof?: Sealed | undefined;
  readonly at: number;
};

export type AuthenticationClaim = { readonly now: number; readonly leaseUntil: number; readonly limit: number };

/** How an authentication ended, with the issuer's proof. */
export type FoundAuthentication = {
  readonly outcome: AuthenticationOutcome;
  readonly proof: Sealed | undefined;
};

export type AuthenticationStore = {
  /** False when it was begun already. */
  begin(save: AuthenticationSave): Promise<boolean>;
  find(key: AuthenticationKey): Promise<AuthenticationRecord | undefined>;
  /** By the name the networks know it by. */
  findByTransaction(transactionId: string): Promise<AuthenticationRecord | undefined>;
  /** Writes over the version before the record's; false when somebody else was faster. */
  save(save: AuthenticationSave): Promise<boolean>;
  /** Takes due ones, each for one node only, under a new lease. */
  claimDue(claim: AuthenticationClaim): Promise<AuthenticationRecord[]>;
  /** Transactions that wait for an authentication nobody began. */
  findUnbegun(before: number, limit: number): Promise<AuthenticationKey[]>;
  /** Makes what is leased due now: for a node that knows no other one lives. */
  releaseLeases(now: number): Promise<void>;
  findOutcome(key: AuthenticationKey): Promise<FoundAuthentication | undefined>;
  transcript(key: AuthenticationKey): Promise<AuthenticationLine[]>;
};

const COLUMNS = 'merchant_id, order_id, seq, version, step, facts, taken, until, due_at, started_at';

/** The latest one of an order, as JSON. */
export function latestAuthentication(order: string): string {
  return `(select to_json(a) from (
        select ${COLUMNS} from authentications
        where merchant_id = ${order}.merchant_id and order_id = ${order}.order_id order by seq desc limit 1) a)`;
}

const sql = (name: string, text: string): Statement => ({ name: `authentications-${name}`, text });

const statements = {
  begin: sql(
    'begin',
    `insert into authentications (merchant_id, order_id, seq, version, step, facts, taken, transaction_id, transcript,
       until, due_at, is_leased, started_at, changed_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $13)
     on conflict do nothing returning 1 as begun`,
  ),
  find: sql('find', `select ${COLUMNS} from authentications where merchant_id = $1 and order_id = $2 and seq = $3`),
  findByTransaction: sql('by-transaction', `select ${COLUMNS} from authentications where transaction_id = $1`),
  save: sql(
    'save',
    `update authentications
     set version = $4, step = $5, facts = $6, taken = $7, transaction_id = $8, transcript = transcript || $9::jsonb,
       due_at = $10, is_leased = $11, changed_at = $12, sealed_proof = coalesce($13, sealed_proof),
       proof_data_key_id = coalesce($14, proof_data_key_id)
     where merchant_id = $1 and order_id = $2 and seq = $3 and version = $4 - 1
     returning 1 as saved`,
  ),
  claimDue: sql(
    'claim',
    `update authentications a set due_at = $2, is_leased = true, version = a.version + 1
     from (
       select merchant_id, order_id, seq from authentications
       where due_at <= $1 order by due_at limit $3 for update skip locked
     ) as d
     where a.merchant_id = d.merchant_id and a.order_id = d.order_id and a.seq = d.seq
     returning ${COLUMNS.replace(/\w+/g, 'a.$&')}`,
  ),
  findUnbegun: sql(
    'unbegun',
    `select t.merchant_id, t.order_id, t.seq from transactions t
     where t.stage = 'authenticating' and t.changed_at < $1 and not exists (
       select from authentications a where a.merchant_id = t.merchant_id and a.order_id = t.order_id and a.seq = t.seq)
     order by t.changed_at limit $2`,
  ),
  releaseLeases: sql('release', `update authentications set due_at = $1 where is_leased and due_at > $1`),
  findOutcome: sql(
    'outcome',
    `select facts, sealed_proof, proof_data_key_id from authentications
     where merchant_id = $1 and order_id = $2 and seq = $3 and step = 'over'`,
  ),
  transcript: sql(
    'transcript',
    `select transcript from authentications where merchant_id = $1 and order_id = $2 and seq = $3`,
  ),
};

export function authenticationStore(database: Database): AuthenticationStore {
  return {
    async begin({ record, isLeased, lines, at }) {
      const { until, dueAt } = record;
      const rows = await database.query(statements.begin, [
        ...stateOf(record, lines),
        new Date(until),
        dateOf(dueAt),
        isLeased,
        new Date(at),
      ]);
      return rows.length === 1;
    },
    async find({ merchantId, orderId, seq }) {
      const [row] = await database.query(statements.find, [merchantId, orderId, seq]);
      return row && authenticationFrom(row);
    },
    async findByTransaction(transactionId) {
      const [row] = await database.query(statements.findByTransaction, [transactionId]);
      return row && authenticationFrom(row);
    },
    async save({ record, isLeased, lines, proof, at }) {
      const rows = await database.query(statements.save, [
        ...stateOf(record, lines),
        dateOf(record.dueAt),
        isLeased,
        new Date(at),
        proof?.bytes ?? null,
        proof?.dataKeyId ?? null,
      ]);
      return rows.length === 1;
    },
    async claimDue({ now, leaseUntil, limit }) {
      const rows = await database.query(statements.claimDue, [new Date(now), new Date(leaseUntil), limit]);
      return rows.map(authenticationFrom);
    },
    async findUnbegun(before, limit) {
      return (await database.query(statements.findUnbegun, [new Date(before), limit])).map(keyFrom);
    },
    async releaseLeases(now) {
      await database.query(statements.releaseLeases, [new Date(now)]);
    },
    async findOutcome({ merchantId, orderId, seq }) {
      const [row] = await database.query(statements.findOutcome, [merchantId, orderId, seq]);
      if (!row) return undefined;
      const { outcome } = row.facts as Extract<AuthenticationStep, { name: 'over' }>;
      const bytes = row.sealed_proof as Buffer | null;
      return { outcome, proof: bytes ? { bytes, dataKeyId: Number(row.proof_data_key_id) } : undefined };
    },
    async transcript({ merchantId, orderId, seq }) {
      const [row] = await database.query(statements.transcript, [merchantId, orderId, seq]);
      return (row?.transcript as AuthenticationLine[] | undefined) ?? [];
    },
  };
}

/** The first nine parameters of both writes. */
function stateOf(record: AuthenticationRecord, lines: readonly AuthenticationLine[]): unknown[] {
  const { name, ...facts } = record.step;
  return [
    record.merchantId,
    record.orderId,
    record.seq,
    record.version,
    name,
    jsonText(facts),
    JSON.stringify(record.taken),
    transactionIdOf(record.step) ?? null,
    jsonText(lines),
  ];
}

/** A zero character, or half of a pair, as JSON writes them. */
const UNKEPT = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** Networks may say what JSON can write and the database cannot keep; what they meant by the rest must not be lost for that. */
function jsonText(value: unknown): string {
  return JSON.stringify(value).replace(UNKEPT, '$1\\ufffd');
}

/** Under which the networks may speak of it: from the question on for ever, so that a repeated result is recognised. */
function transactionIdOf(step: AuthenticationStep): string | undefined {
  if (step.name === 'browser' || step.name === 'requesting') return step.transactionId;
  if (step.name === 'challenge') return step.ids.threeDSServerTransID;
  return step.name === 'over' ? step.outcome.ids.threeDSServerTransID : undefined;
}

function keyFrom(row: Row): AuthenticationKey {
  return { merchantId: Number(row.merchant_id), orderId: Number(row.order_id), seq: Number(row.seq) };
}

export function authenticationFrom(row: Row): AuthenticationRecord {
  return {
    ...keyFrom(row),
    version: Number(row.version),
    step: { name: row.step, ...(row.facts as object) } as AuthenticationStep,
    taken: row.taken as Taken,
    until: moment(row.until),
    dueAt: row.due_at === null ? undefined : moment(row.due_at),
    startedAt: moment(row.started_at),
  };
}

/** A timestamp arrives as Date from a column and as text from inside JSON. */
function moment(value: unknown): number {
  return value instanceof Date ? value.getTime() : Date.parse(value as string);
}

function dateOf(moment: number | undefined): Date | null {
  return moment === undefined ? null : new Date(moment);
}
