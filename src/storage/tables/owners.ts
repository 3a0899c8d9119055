// Whom each table is about. What belongs to a merchant is kept under the merchant's shard: a cluster spreads it over
// its machines by the column of that name. All the rest is small or written rarely, and every machine has all of it.

export type TableOwner = 'merchant' | 'everyone' | 'node';

/** Every table of the schema. */
export const TABLE_OWNERS = {
  accounts: 'merchant',
  answered_requests: 'merchant',
  authentications: 'merchant',
  callback_attempts: 'merchant',
  callbacks: 'merchant',
  card_references: 'merchant',
  card_tries: 'merchant',
  cards: 'merchant',
  confirmations: 'merchant',
  control_readings: 'merchant',
  // Requests whose sender is not known are in shard 0.
  journal: 'merchant',
  ledger_entries: 'merchant',
  oauth_nonces: 'merchant',
  order_events: 'merchant',
  orders: 'merchant',
  receipt_mails: 'merchant',
  recurring_payments: 'merchant',
  transactions: 'merchant',
  velocity_locks: 'merchant',
  velocity_marks: 'merchant',

  answer_times: 'everyone',
  archives: 'everyone',
  audit_head: 'everyone',
  audit_log: 'everyone',
  bank_notices: 'everyone',
  bin_rows: 'everyone',
  bin_tables: 'everyone',
  blocks: 'everyone',
  card_networks: 'everyone',
  configuration_version: 'everyone',
  data_keys: 'everyone',
  endpoint_groups: 'everyone',
  endpoint_looks: 'everyone',
  endpoints: 'everyone',
  figures: 'everyone',
  figures_counted: 'everyone',
  form_requests: 'everyone',
  id_counter: 'everyone',
  merchant_keys: 'everyone',
  merchants: 'everyone',
  passkeys: 'everyone',
  path_ids: 'everyone',
  people: 'everyone',
  person_sessions: 'everyone',
  person_tokens: 'everyone',
  recognised_addresses: 'everyone',
  record_macs: 'everyone',
  record_sets: 'everyone',
  recounted_spans: 'everyone',
  repeatable_changes: 'everyone',
  saved_filters: 'everyone',
  schema_migration: 'everyone',
  sign_in_failures: 'everyone',
  stranger_counts: 'everyone',
  terminal_days: 'everyone',
  terminal_figures: 'everyone',
  terminal_states: 'everyone',
  terminals: 'everyone',
  used_challenges: 'everyone',
  velocity_limits: 'everyone',
  waiting_deeds: 'everyone',

  code_key_nodes: 'node',
  handed_code_keys: 'node',
  nodes: 'node',
} as const satisfies Readonly<Record<string, TableOwner>>;

export type TableName = keyof typeof TABLE_OWNERS;

/** The tables a cluster spreads by the shard. */
// Object.keys has lost which names they are.
export const shardedTables = (Object.keys(TABLE_OWNERS) as TableName[]).filter(
  (name) => TABLE_OWNERS[name] === 'merchant',
);
