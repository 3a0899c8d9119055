// How nodes meet to hand keys of security codes to each other: each says which public key it has at the moment, and
// finds what others have sealed to it.

import type { Database } from '../database.ts';
import { COLUMNS, column, statement, table } from '../tables/index.ts';

/** A node, the public key that is sealed to, and the proof that it has the vault's keys. */
export type MeetingNode = { readonly instance: string; readonly publicKey: Buffer; readonly mac: Buffer };

/** A key on its way: `livesUntil` is when the key is destroyed everywhere. */
export type HandedCodeKey = { readonly codeKeyId: string; readonly sealed: Buffer; readonly livesUntil: number };

export type HandedCodeKeys = {
  /** Says that the node is there until then; returns the other nodes, and all keys that were sealed to this one. */
  meet(
    node: MeetingNode,
    now: number,
    livesUntil: number,
  ): Promise<{ readonly others: MeetingNode[]; readonly handed: HandedCodeKey[] }>;
  hand(instance: string, key: HandedCodeKey): Promise<unknown>;
  /** Removes what is over. */
  forget(now: number): Promise<unknown>;
  leave(instance: string): Promise<unknown>;
};

const nodes = table('code_key_nodes', ['instance'], {
  instance: column.uuid('instance'),
  publicKey: column.bytea('public_key'),
  mac: column.bytea('mac'),
  livesUntil: column.moment('lives_until'),
});

const handed = table('handed_code_keys', ['instance', 'codeKeyId'], {
  instance: column.uuid('instance'),
  codeKeyId: column.hex('code_key_id'),
  sealed: column.bytea('sealed'),
  livesUntil: column.moment('lives_until'),
});

const statements = {
  seen: statement('code-key-nodes-seen')`
    ${nodes.insert()} on conflict (instance) do update
      set public_key = excluded.public_key, mac = excluded.mac, lives_until = excluded.lives_until`,
  removeDead: statement('code-key-nodes-remove-dead')`delete from code_key_nodes where lives_until <= $1`,
  removeOld: statement('handed-code-keys-remove-old')`delete from handed_code_keys where lives_until <= $1`,
  others: statement('code-key-nodes-others', nodes.pick('instance', 'publicKey', 'mac'))`
    select ${COLUMNS} from code_key_nodes where instance <> $1 and lives_until > $2`,
  handed: statement('handed-code-keys-list', handed.without('instance'))`
    select ${COLUMNS} from handed_code_keys where instance = $1 and lives_until > $2`,
  hand: statement('handed-code-keys-hand')`
    ${handed.insert()} on conflict (instance, code_key_id) do update set sealed = excluded.sealed`,
  leave: statement('code-key-nodes-leave')`delete from code_key_nodes where instance = $1`,
};

export function handedCodeKeys(database: Database): HandedCodeKeys {
  return {
    async meet(node, now, livesUntil) {
      await database.query(statements.seen, nodes.values({ ...node, livesUntil }));
      const others = await database.query(statements.others, [node.instance, new Date(now)]);
      return { others, handed: await database.query(statements.handed, [node.instance, new Date(now)]) };
    },
    async forget(now) {
      for (const old of [statements.removeDead, statements.removeOld]) await database.query(old, [new Date(now)]);
    },
    hand: (instance, key) => database.query(statements.hand, handed.values({ instance, ...key })),
    leave: (instance) => database.query(statements.leave, [instance]),
  };
}
