-- Who changed what, and who looked at cards: each entry holds the hash of the one before it, so that none can be removed,
-- changed or moved without its successors telling.

create table audit_log (
  seq      bigint primary key check (seq > 0),
  at       timestamptz not null,
  who      text not null,
  action   text not null,
  subject  text not null,
  -- JSON as it was hashed, letter by letter.
  details  text not null,
  previous bytea not null check (length(previous) = 32),
  hash     bytea not null unique check (length(hash) = 32)
);

-- The last entry. Whoever writes the next one holds this row, so that entries come one after another on any number of nodes.
create table audit_head (
  only_row boolean primary key default true check (only_row),
  seq      bigint not null,
  hash     bytea not null check (length(hash) = 32)
);
insert into audit_head (seq, hash) values (0, decode(repeat('00', 32), 'hex'));
