-- What people look for often, who looked at an order, and payouts that wait for somebody's word.

-- A search by its own name, of one person alone.
create table saved_filters (
  person     text not null references people,
  name       text not null,
  -- As the address of the search has it: card=1111&status=approved
  query      text not null,
  created_at timestamptz not null,
  primary key (person, name)
);

-- Entries about one thing, the newest first.
create index audit_log_by_subject on audit_log (subject, seq);

-- Few wait at a time, and no sale is among them.
create index transactions_waiting on transactions (created_at, order_id) where stage = 'waiting';
