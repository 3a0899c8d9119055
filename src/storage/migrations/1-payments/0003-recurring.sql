-- Recurring payments, and what is counted against the card networks' limits.

create table recurring_payments (
  merchant_id          bigint not null,
  recurring_payment_id bigint not null check (recurring_payment_id between 1 and 9007199254740991),
  endpoint_id          bigint not null,
  client_order_id      text not null,
  -- Of the request that made it: the same request again gets the same recurring payment.
  fingerprint          bytea not null,
  direction            text not null check (direction in ('from-card', 'to-card')),
  currency             text not null,
  amount_kind          text not null check (amount_kind in ('open', 'fixed', 'range', 'sequence')),
  -- None, the one, the least and the most, or all of them in turn.
  amounts              bigint[] not null,
  interval_unit        text check (interval_unit in ('day', 'week', 'month')),
  interval_length      integer check (interval_length > 0),
  -- Occurrences are counted from here.
  anchor_at            timestamptz,
  ends_at              timestamptz,
  details              jsonb not null,
  state                text not null check (state in ('active', 'paused', 'suspended', 'stopped', 'finished')),
  note                 text,
  occurrence           integer not null,
  failures             integer not null,
  -- When somebody must look at it: at the next charge, or at the end of the lease of whoever does.
  next_run_at          timestamptz,
  -- Until then a charge of it is being started, and no other is.
  busy_until           timestamptz,
  version              integer not null,
  created_at           timestamptz not null,
  changed_at           timestamptz not null,
  primary key (merchant_id, recurring_payment_id),
  constraint recurring_payments_client_order_id unique (merchant_id, client_order_id),
  check ((interval_unit is null) = (interval_length is null) and (interval_unit is null) = (anchor_at is null)),
  check (next_run_at is null or (state = 'active' and interval_unit is not null))
) with (fillfactor = 85);
create index recurring_payments_due on recurring_payments (next_run_at) where next_run_at is not null;

-- The card of a recurring payment has its id, so these are the charges of one recurring payment.
create index orders_recurring on orders (merchant_id, coalesce(card_id, target_card_id)) where operation = 'recurring';

-- The card a merchant charges without the payer, from the start; any other card once it was declined.
alter table transactions add column card_fingerprint bytea;
create index transactions_card_attempts on transactions (merchant_id, card_fingerprint, stage, amount, created_at)
  where card_fingerprint is not null;
