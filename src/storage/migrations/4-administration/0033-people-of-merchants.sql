-- People who belong to a merchant, and what was changed by requests that may be repeated.

-- Null of the people who run the gateway.
alter table people add column merchant_id bigint references merchants;
create index on people (merchant_id) where merchant_id is not null;

-- The answer to a change, for whoever asks for it again by the same key. It may hold a secret that is told once.
create table repeatable_changes (
  -- The name of a person; empty of the local command line.
  asker         text not null,
  key_digest    bytea not null check (length(key_digest) = 32),
  verb          text not null,
  body_digest   bytea not null,
  -- Null while it is under way.
  sealed        bytea,
  data_key_id   integer,
  at            timestamptz not null,
  primary key (asker, key_digest),
  check ((sealed is null) = (data_key_id is null))
);
create index on repeatable_changes (at);
