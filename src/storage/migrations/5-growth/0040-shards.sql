-- A merchant lives in a shard, and so does everything that belongs to it. The number is in the upper bits of the
-- merchant's id (docs/decisions/0059): a key that begins with the merchant begins with the shard. The column is there for
-- engines that spread tables over machines by it, and is in every key that is unique.

alter table orders
  add column shard smallint not null default 0,
  add constraint orders_shard check (shard = merchant_id >> 32),
  drop constraint orders_pkey,
  add primary key (merchant_id, order_id, shard);
alter table transactions
  add column shard smallint not null default 0,
  add constraint transactions_shard check (shard = merchant_id >> 32),
  drop constraint transactions_pkey,
  add primary key (merchant_id, order_id, seq, shard);
alter table cards
  add column shard smallint not null default 0,
  add constraint cards_shard check (shard = merchant_id >> 32),
  drop constraint cards_pkey,
  add primary key (merchant_id, card_id, shard);
alter table card_references
  add column shard smallint not null default 0,
  add constraint card_references_shard check (shard = merchant_id >> 32),
  drop constraint card_references_pkey,
  add primary key (merchant_id, reference_id, shard);
alter table confirmations
  add column shard smallint not null default 0,
  add constraint confirmations_shard check (shard = merchant_id >> 32),
  drop constraint confirmations_pkey,
  add primary key (merchant_id, order_id, shard);
alter table order_events
  add column shard smallint not null default 0,
  add constraint order_events_shard check (shard = merchant_id >> 32),
  drop constraint order_events_pkey,
  add primary key (merchant_id, order_id, version, shard);
alter table control_readings
  add column shard smallint not null default 0,
  add constraint control_readings_shard check (shard = merchant_id >> 32),
  drop constraint control_readings_pkey,
  add primary key (merchant_id, digest, shard);
alter table ledger_entries
  add column shard smallint not null default 0,
  add constraint ledger_entries_shard check (shard = merchant_id >> 32),
  drop constraint ledger_entries_pkey,
  add primary key (merchant_id, order_id, seq, line, shard);
alter table accounts
  add column shard smallint not null default 0,
  add constraint accounts_shard check (shard = merchant_id >> 32),
  drop constraint accounts_pkey,
  add primary key (merchant_id, account, currency, shard);
alter table journal
  add column shard smallint not null default 0,
  add constraint journal_shard check (shard = coalesce(merchant_id, 0) >> 32),
  drop constraint journal_pkey,
  add primary key (serial_number, shard);
alter table oauth_nonces
  add column shard smallint not null default 0,
  add constraint oauth_nonces_shard check (shard = merchant_id >> 32),
  drop constraint oauth_nonces_pkey,
  add primary key (said_at, merchant_id, nonce, shard);
alter table recurring_payments
  add column shard smallint not null default 0,
  add constraint recurring_payments_shard check (shard = merchant_id >> 32),
  drop constraint recurring_payments_pkey,
  add primary key (merchant_id, recurring_payment_id, shard);
alter table velocity_locks
  add column shard smallint not null default 0,
  add constraint velocity_locks_shard check (shard = merchant_id >> 32),
  drop constraint velocity_locks_pkey,
  add primary key (merchant_id, bucket, shard);
alter table velocity_marks
  add column shard smallint not null default 0,
  add constraint velocity_marks_shard check (shard = merchant_id >> 32),
  drop constraint velocity_marks_pkey,
  add primary key (merchant_id, endpoint_id, digest, at, order_id, shard);
alter table callbacks
  add column shard smallint not null default 0,
  add constraint callbacks_shard check (shard = merchant_id >> 32),
  drop constraint callbacks_pkey,
  add primary key (merchant_id, order_id, seq, target, shard);
alter table callback_attempts
  add column shard smallint not null default 0,
  add constraint callback_attempts_shard check (shard = merchant_id >> 32),
  drop constraint callback_attempts_pkey,
  add primary key (merchant_id, order_id, seq, target, at, shard);
alter table authentications
  add column shard smallint not null default 0,
  add constraint authentications_shard check (shard = merchant_id >> 32),
  drop constraint authentications_pkey,
  add primary key (merchant_id, order_id, seq, shard);
alter table answered_requests
  add column shard smallint not null default 0,
  add constraint answered_requests_shard check (shard = merchant_id >> 32),
  drop constraint answered_requests_pkey,
  add primary key (merchant_id, order_id, request_serial, shard);
alter table card_tries
  add column shard smallint not null default 0,
  add constraint card_tries_shard check (shard = merchant_id >> 32),
  drop constraint card_tries_pkey,
  add primary key (merchant_id, source, card, shard);
alter table receipt_mails
  add column shard smallint not null default 0,
  add constraint receipt_mails_shard check (shard = merchant_id >> 32),
  drop constraint receipt_mails_pkey,
  add primary key (merchant_id, order_id, shard);
alter table orders
  drop constraint orders_client_order_id,
  add constraint orders_client_order_id unique (client_order_id, merchant_id, unsigned, shard);
drop index orders_control;
create unique index orders_control on orders (merchant_id, control, shard) where control is not null;

drop index transactions_idempotency;
create unique index transactions_idempotency on transactions (merchant_id, idempotency_key, shard)
  where idempotency_key is not null;
drop index confirmations_idempotency;
create unique index confirmations_idempotency on confirmations (merchant_id, idempotency_key, shard)
  where idempotency_key is not null;
alter table card_references
  drop constraint card_references_card,
  add constraint card_references_card unique (merchant_id, card_id, shard);
alter table recurring_payments
  drop constraint recurring_payments_client_order_id,
  add constraint recurring_payments_client_order_id unique (merchant_id, client_order_id, shard);

-- Callbacks are claimed shard by shard: what waits in one is not walked through for another.
drop index callbacks_queues;
create index callbacks_queues on callbacks (shard, destination, due_at) where due_at is not null;

-- Names that are given from now on hold the shard, so that whoever comes with one is led to it.
drop index authentications_transaction;
create unique index authentications_transaction on authentications (transaction_id, shard)
  where transaction_id is not null;
