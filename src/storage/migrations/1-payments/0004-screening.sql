-- The fraud floor: limits, what they count, and block lists. Endpoints without limits leave nothing here.

-- In any stretch of time as long as the window: at most so many orders, and at most so much money.
create table velocity_limits (
  endpoint_id bigint not null references endpoints,
  merchant_id bigint not null references merchants,
  -- A payment is a card with an amount: its limit of one is the duplicate guard.
  kind        text not null check (kind in ('card', 'email', 'address', 'payment')),
  window_ms   bigint not null check (window_ms > 0),
  max_count   integer check (max_count > 0),
  max_sum     bigint check (max_sum > 0),
  primary key (endpoint_id, kind, window_ms),
  check (max_count is not null or max_sum is not null)
);
create unique index velocity_limits_payment on velocity_limits (endpoint_id) where kind = 'payment';

-- Whoever counts holds the rows his digests fall on: equal digests never count at the same time, on any node.
create table velocity_locks (
  merchant_id bigint not null references merchants,
  bucket      integer not null,
  primary key (merchant_id, bucket)
);

-- One per accepted order and thing it is counted by, written with the order.
create table velocity_marks (
  merchant_id bigint not null,
  endpoint_id bigint not null,
  -- Keyed: neither a card nor an address can be found from it.
  digest      bytea not null,
  at          timestamptz not null,
  order_id    bigint not null,
  kind        text not null,
  amount      bigint not null,
  -- When no limit looks at it any more.
  forget_at   timestamptz not null,
  primary key (merchant_id, endpoint_id, digest, at, order_id)
);
create index velocity_marks_forget on velocity_marks (forget_at);

create table blocks (
  -- 0: for every merchant.
  merchant_id bigint not null check (merchant_id >= 0),
  kind        text not null check (kind in ('card', 'bin', 'email', 'address', 'country')),
  -- Of a card a keyed digest.
  value       text not null,
  -- What people are shown: of a card its ends.
  label       text not null,
  note        text,
  created_at  timestamptz not null,
  primary key (merchant_id, kind, value)
);
