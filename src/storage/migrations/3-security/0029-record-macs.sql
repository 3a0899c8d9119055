-- Who writes into the database without the vault's key is found out: rows that give power carry a MAC, and each table's
-- MACs together carry one more, so that a row that is missing is missed.

create table record_macs (
  table_name text not null,
  -- The row's primary key as one text.
  record_key text not null,
  mac        bytea not null check (length(mac) = 32),
  primary key (table_name, record_key)
);

create table record_sets (
  table_name  text primary key,
  data_key_id integer not null,
  -- Counts changes: an older state that is put back has a smaller one.
  counter     bigint not null,
  mac         bytea not null check (length(mac) = 32)
);

-- The list of purposes is in the code; here only that it is a word.
alter table data_keys
  drop constraint if exists data_keys_purpose_check,
  add constraint data_keys_purpose_word check (purpose ~ '^[a-z][a-z-]{0,29}$');
