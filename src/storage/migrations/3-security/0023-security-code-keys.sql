-- Security codes are sealed under keys that are not in the database, and that live for minutes. The bytes begin with
-- the name of their key. Codes that wait at this moment were sealed under the vault's keys, and are erased.
update transactions set sealed_cvv = null, cvv_data_key_id = null where sealed_cvv is not null;
alter table transactions drop column cvv_data_key_id;

-- Nodes, and the public half of the pair of keys each has at the moment. The private half is in its memory only.
create table code_key_nodes (
  instance    uuid primary key,
  public_key  bytea not null,
  -- By the vault: who can only write into the database is handed nothing.
  mac         bytea not null,
  lives_until timestamptz not null
);

-- Keys of security codes on their way from one node to another, sealed to the other's public key.
create table handed_code_keys (
  -- Whom it is for.
  instance    uuid not null,
  code_key_id bytea not null,
  sealed      bytea not null,
  lives_until timestamptz not null,
  primary key (instance, code_key_id)
);
