// The tables whose rows give power, and so carry MACs. A line here is all it takes: whoever writes to the table does so
// in `changeRecords`, and whoever reads it takes only rows that `keepSigned` or `readSigned` lets through.

import { KEY_SEPARATOR } from '../../domain/records.ts';
import { Columns, column } from '../tables/index.ts';

export type SignedTable = {
  readonly name: string;
  /** The columns of its primary key. */
  readonly key: readonly string[];
  /**
   * Columns that are not signed. Of sealed values only whether they are there: the vault seals them anew, and what is
   * sealed is bound to its place already. Of others nothing, because they change without the administration.
   */
  readonly sealed?: readonly string[];
  readonly except?: readonly string[];
};

const listed = [
  { name: 'merchants', key: ['merchant_id'] },
  { name: 'merchant_keys', key: ['merchant_id', 'key_id'], sealed: ['sealed', 'data_key_id'] },
  { name: 'endpoints', key: ['endpoint_id'] },
  { name: 'endpoint_groups', key: ['group_id', 'endpoint_id'] },
  { name: 'velocity_limits', key: ['endpoint_id', 'kind', 'window_ms'] },
  { name: 'blocks', key: ['merchant_id', 'kind', 'value'] },
  { name: 'terminals', key: ['name'], sealed: ['sealed', 'data_key_id'] },
  { name: 'card_networks', key: ['brand'], sealed: ['sealed_key', 'data_key_id'] },
  { name: 'people', key: ['name'], sealed: ['totp_sealed', 'totp_key_id'], except: ['totp_step'] },
  { name: 'passkeys', key: ['credential_id'], except: ['counter', 'used_at'] },
  { name: 'person_tokens', key: ['token_id'], except: ['used_at'] },
  { name: 'waiting_deeds', key: ['deed_id'] },
] as const satisfies readonly SignedTable[];

export type SignedTableName = (typeof listed)[number]['name'];

export const signedTables: readonly SignedTable[] = listed;

const arrayOf = (names: readonly string[]) => `'{${names.join(',')}}'::text[]`;

/** All that a row says, as one text that does not depend on the order of its columns. The table is called `x`. */
function contentOf({ sealed = [], except = [] }: SignedTable): string {
  const plain = `to_jsonb(x) - ${arrayOf([...sealed, ...except])}`;
  const there = sealed.map((name) => `'${name}', x.${name} is not null`);
  return `(${plain} || jsonb_build_object(${there.join(', ')}))::text`;
}

/** The columns that a row of the table is judged by, in a statement that calls it `x`. */
export function recordColumns(name: SignedTableName | SignedTable) {
  // Names are those of the list.
  const table = typeof name === 'string' ? (listed.find((one) => one.name === name) as SignedTable) : name;
  const key = table.key.map((one) => `x.${one}`).join(', ');
  return new Columns({
    key: column.text(`concat_ws(chr(${KEY_SEPARATOR.charCodeAt(0)}), ${key})`),
    content: column.text(contentOf(table)),
  });
}
