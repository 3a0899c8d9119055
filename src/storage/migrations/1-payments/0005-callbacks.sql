-- Callbacks: what merchants are to be told, and every try to tell them.

-- By target the destination (host and port) of the order's callbacks; null for orders without any, by far the most.
alter table orders add column callbacks jsonb;

create table callbacks (
  merchant_id  bigint not null,
  order_id     bigint not null,
  seq          integer not null,
  target       text not null check (target in ('server', 'notify')),
  -- Host and port: the queue it waits in.
  destination  text not null,
  state        text not null check (state in ('waiting', 'delivered', 'failed')),
  -- Tries made in all, and since the schedule began; a replay begins it anew.
  attempts     integer not null,
  tries        integer not null,
  scheduled_at timestamptz not null,
  -- When it is to be tried, or the end of the lease of whoever tries.
  due_at       timestamptz,
  lease_owner  uuid,
  created_at   timestamptz not null,
  changed_at   timestamptz not null,
  primary key (merchant_id, order_id, seq, target),
  check ((state = 'waiting') = (due_at is not null))
) with (fillfactor = 85);
create index callbacks_queues on callbacks (destination, due_at) where due_at is not null;
create index callbacks_due on callbacks (due_at) where due_at is not null;
create index callbacks_failed on callbacks (merchant_id, order_id) where state = 'failed';

create table callback_attempts (
  merchant_id  bigint not null,
  order_id     bigint not null,
  seq          integer not null,
  target       text not null,
  at           timestamptz not null,
  -- The network address that was called, once the name was looked up.
  address      text,
  http_status  integer,
  milliseconds integer not null,
  -- Why there was no answer.
  fault        text,
  -- The beginning of the answer, masked.
  answer       text,
  primary key (merchant_id, order_id, seq, target, at)
);
