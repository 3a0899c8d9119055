// Authentications under way and what was said in them: begun once per transaction, saved only over the version read,
// and claimed when due. A claim counts as a change, so that whoever lost its lease cannot save any more.

import { shardsOfName } from '../domain/merchant/shard.ts';
import type {
  AuthenticationKey,
  AuthenticationLine,
  AuthenticationOutcome,
  AuthenticationRecord,
  AuthenticationStep,
  Taken,
} from '../domain/three-d-secure/authentication-record.ts';
import { sealedColumns } from './cards/card-rows.ts';
import { claimByShard, FIRST_SHARD, type ListShards } from './claims.ts';
import type { Database } from './database.ts';
import { transactions } from './orders/order-rows.ts';
import { stageIs } from './orders/order-words.ts';
import type { Sealed } from './store.ts';
import { COLUMNS, Columns, column, kinds, statement, TypedColumn, table } from './tables/index.ts';

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

/** A zero character, or half of a pair, as JSON writes them. */
const UNKEPT = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g;

/** Networks may say what JSON can write and the database cannot keep: the rest of it must not be lost for that. */
function networkJson<T>(sql: string): TypedColumn<T> {
  const write = (value: T) => JSON.stringify(value).replace(UNKEPT, '$1\\ufffd');
  // What is in it was written by ourselves, so it has this type.
  return new TypedColumn<T>(sql, { ...kinds.jsonb, write } as TypedColumn<T>['kind']);
}

const stepColumns = new Columns({ name: column.text('step'), facts: networkJson<object>('facts') }).as(
  // The name and the facts of one step were written together.
  ({ name, facts }) => ({ name, ...facts }) as AuthenticationStep,
  ({ name, ...facts }) => ({ name, facts }),
);

/** What a record is read from. */
export const authenticationColumns = new Columns({
  ...transactions.key.parts,
  version: column.int('version'),
  step: stepColumns,
  taken: column.jsonb<Taken>('taken'),
  until: column.moment('until'),
  dueAt: column.moment('due_at').optional(),
  startedAt: column.moment('started_at'),
});

export const authentications = table('authentications', ['merchantId', 'orderId', 'seq'], {
  ...authenticationColumns.parts,
  transactionId: column.uuid('transaction_id').optional(),
  transcript: networkJson<readonly AuthenticationLine[]>('transcript'),
  isLeased: column.boolean('is_leased'),
  changedAt: column.moment('changed_at'),
  proof: sealedColumns('sealed_proof', 'proof_data_key_id').optional(),
});

const begun = authentications.without('proof');
/** What every write says, behind the key. */
const state = authentications.pick(
  'version',
  'step',
  'taken',
  'transactionId',
  'dueAt',
  'isLeased',
  'changedAt',
  'transcript',
  'proof',
);

const statements = {
  begin: statement('authentications-begin')`${authentications.insert(begun)} on conflict do nothing returning 1`,
  find: statement('authentications-find', authenticationColumns)`
    select ${COLUMNS} from authentications where ${authentications.key.equal()}`,
  findByTransaction: statement('authentications-by-transaction', authenticationColumns)`
    select ${COLUMNS} from authentications where shard = $2 and transaction_id = $1`,
  save: statement('authentications-save')`
    update authentications
     set ${state.without('transcript', 'proof').equal(4, ', ')}, transcript = transcript || $12::jsonb,
       sealed_proof = coalesce($13, sealed_proof), proof_data_key_id = coalesce($14, proof_data_key_id)
     where ${authentications.key.equal()} and version = $4 - 1
     returning 1`,
  claimDue: statement('authentications-claim', authenticationColumns.of('a'))`
     with d as materialized (
       select ${authentications.key.names()} from authentications
       where shard = $4 and due_at <= $1 order by due_at limit $3 for update skip locked
     )
     update authentications a set due_at = $2, is_leased = true, version = a.version + 1 from d
     where ${authentications.key.among('a', 'd', '$4')}
     returning ${COLUMNS}`,
  findUnbegun: statement('authentications-unbegun', authentications.key.of('t'))`
     select ${COLUMNS} from transactions t
     where t.shard = $3 and ${stageIs('authenticating', 't')} and t.changed_at < $1 and not exists (
       select from authentications a where ${authentications.key.among('a', 't', '$3')})
     order by t.changed_at limit $2`,
  releaseLeases: statement('authentications-release')`
    update authentications set due_at = $1 where is_leased and due_at > $1`,
  findOutcome: statement('authentications-outcome', authentications.pick('step', 'proof'))`
    select ${COLUMNS} from authentications where ${authentications.key.equal()} and step = 'over'`,
  transcript: statement('authentications-transcript', authentications.pick('transcript'))`
    select ${COLUMNS} from authentications where ${authentications.key.equal()}`,
};

export function authenticationStore(database: Database, shards: ListShards = FIRST_SHARD): AuthenticationStore {
  const claimEach = claimByShard(shards);
  const unbegunOfEach = claimByShard(shards);
  return {
    async begin(save) {
      const values = begun.values({ ...rowOf(save), startedAt: save.at });
      return (await database.query(statements.begin, values)).length === 1;
    },
    find: async (key) => (await database.query(statements.find, authentications.key.values(key)))[0],
    async findByTransaction(transactionId) {
      for (const shard of shardsOfName(transactionId, shards())) {
        const [record] = await database.query(statements.findByTransaction, [transactionId, shard]);
        if (record) return record;
      }
      return undefined;
    },
    async save(save) {
      const values = [...authentications.key.values(save.record), ...state.values(rowOf(save))];
      return (await database.query(statements.save, values)).length === 1;
    },
    claimDue: ({ now, leaseUntil, limit }) =>
      claimEach(limit, (shard, most) =>
        database.query(statements.claimDue, [new Date(now), new Date(leaseUntil), most, shard]),
      ),
    findUnbegun: (before, limit) =>
      unbegunOfEach(limit, (shard, most) => database.query(statements.findUnbegun, [new Date(before), most, shard])),
    async releaseLeases(now) {
      await database.query(statements.releaseLeases, [new Date(now)]);
    },
    async findOutcome(key) {
      const [row] = await database.query(statements.findOutcome, authentications.key.values(key));
      return row?.step.name === 'over' ? { outcome: row.step.outcome, proof: row.proof } : undefined;
    },
    async transcript(key) {
      const [row] = await database.query(statements.transcript, authentications.key.values(key));
      return [...(row?.transcript ?? [])];
    },
  };
}

function rowOf({ record, isLeased, lines, proof, at }: AuthenticationSave) {
  const transactionId = transactionIdOf(record.step);
  return { ...record, transactionId, transcript: lines, isLeased, proof, changedAt: at };
}

/** Under which the networks may speak of it: from the question on for ever, so that a repeated result is recognised. */
function transactionIdOf(step: AuthenticationStep): string | undefined {
  if (step.name === 'browser' || step.name === 'requesting') return step.transactionId;
  if (step.name === 'challenge') return step.ids.threeDSServerTransID;
  return step.name === 'over' ? step.outcome.ids.threeDSServerTransID : undefined;
}
