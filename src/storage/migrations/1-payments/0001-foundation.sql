-- The whole schema of the first version. Keys of everything that belongs to an order begin with the merchant.
-- Ids are made by the application; there are no sequences, triggers or advisory locks.

-- Who may ask --------------------------------------------------------------------------------------------------

create table merchants (
  merchant_id        bigint primary key,
  login              text not null unique check (login ~ '^[A-Za-z][A-Za-z0-9_.-]{0,19}$'),
  name               text not null,
  enabled            boolean not null,
  allowed_addresses  text[] not null default '{}',
  allowed_operations text[] not null default '{}',
  created_at         timestamptz not null
);

-- Endpoint ids and group ids share one number space: an id is never both.
create table path_ids (
  path_id     bigint primary key check (path_id > 0),
  merchant_id bigint not null references merchants,
  kind        text not null check (kind in ('endpoint', 'group'))
);

create table endpoints (
  endpoint_id     bigint primary key references path_ids,
  merchant_id     bigint not null references merchants,
  name            text not null,
  currency        text not null,
  enabled         boolean not null,
  sandbox         boolean not null,
  three_d_secure  text not null check (three_d_secure in ('none', 'optional', 'required')),
  legacy_replies  boolean not null,
  strict_signing  boolean not null,
  minimum         bigint check (minimum > 0),
  maximum         bigint check (maximum > 0),
  -- How far payouts may take the merchant's balance below zero.
  credit_limit    bigint not null check (credit_limit >= 0),
  required_fields text[] not null default '{}',
  descriptor      text not null,
  created_at      timestamptz not null,
  check (minimum <= maximum)
);

create table endpoint_groups (
  group_id    bigint not null references path_ids,
  merchant_id bigint not null references merchants,
  endpoint_id bigint not null references endpoints,
  primary key (group_id, endpoint_id)
);

-- Control keys are sealed under a data key; public keys are public.
create table merchant_keys (
  merchant_id bigint not null references merchants,
  key_id      text not null,
  kind        text not null check (kind in ('control', 'rsa')),
  sealed      bytea,
  data_key_id integer,
  public_key  text,
  valid_from  timestamptz not null,
  valid_until timestamptz,
  created_at  timestamptz not null,
  primary key (merchant_id, key_id),
  check ((kind = 'control') = (sealed is not null and data_key_id is not null)),
  check ((kind = 'rsa') = (public_key is not null))
);

-- Counts changes of the five tables above, so that every node notices them.
create table configuration_version (
  only_row boolean primary key default true check (only_row),
  version  bigint not null
);
insert into configuration_version (version) values (1);

-- The vault's keys ---------------------------------------------------------------------------------------------

create table data_keys (
  data_key_id integer primary key,
  purpose     text not null check (purpose in ('seal', 'lookup')),
  wrapped     bytea not null,
  kek_id      text not null,
  created_at  timestamptz not null
);

-- Nodes: each takes a number for the ids it makes -------------------------------------------------------------

create table nodes (
  node_number integer primary key,
  instance    uuid not null,
  lease_until timestamptz not null,
  -- No id made under this number is later than this.
  high_water  timestamptz not null
);

-- Orders --------------------------------------------------------------------------------------------------------

create table orders (
  merchant_id     bigint not null,
  order_id        bigint not null check (order_id between 1 and 9007199254740991),
  endpoint_id     bigint not null,
  client_order_id text not null,
  operation       text not null,
  currency        text not null,
  notation        text not null check (notation in ('minor', 'major')),
  amount          bigint not null check (amount >= 0),
  -- Amounts to try in turn when the one before is declined.
  alternatives    bigint[] not null,
  authorised      bigint not null check (authorised between 0 and amount),
  captured        bigint not null check (captured >= 0),
  released        bigint not null check (released >= 0),
  reversed        bigint not null check (reversed between 0 and captured),
  hold_until      timestamptz,
  version         integer not null,
  -- The digest of the control that created it: one digest never creates two orders.
  control         bytea,
  card_id         bigint,
  -- Where money is sent: a card, or a bank account (sealed).
  target_card_id     bigint,
  sealed_target      bytea,
  target_data_key_id integer,
  details         jsonb not null,
  receipt_id      uuid not null,
  created_at      timestamptz not null,
  changed_at      timestamptz not null,
  primary key (merchant_id, order_id),
  -- Not beginning with the merchant: on an empty table the planner could take it for as good as the primary key.
  constraint orders_client_order_id unique (client_order_id, merchant_id),
  constraint orders_hold check (captured + released <= authorised)
) with (fillfactor = 85);
create index orders_sealed_target on orders (target_data_key_id) where sealed_target is not null;
create unique index orders_control on orders (merchant_id, control) where control is not null;

create table transactions (
  merchant_id       bigint not null,
  order_id          bigint not null,
  seq               integer not null,
  type              text not null,
  amount            bigint not null check (amount >= 0),
  stage             text not null,
  leg               integer not null,
  legs              integer not null,
  original_seq      integer,
  -- When somebody must look at it: the end of a lease, or the time of the next try.
  due_at            timestamptz,
  lease_owner       uuid,
  attempts          integer not null,
  sends             integer not null,
  request_serial    uuid not null,
  fingerprint       bytea not null,
  idempotency_key   text,
  idempotency_until timestamptz,
  -- The security code, sealed, until the authorisation has its answer and never longer than a quarter of an hour.
  sealed_cvv        bytea,
  cvv_data_key_id   integer,
  approval_code     text,
  rrn               text,
  processor_tx_id   text,
  terminal_id       text,
  decline_code      text,
  eligibility       jsonb,
  filter_reason     text,
  comment           text,
  created_at        timestamptz not null,
  changed_at        timestamptz not null,
  primary key (merchant_id, order_id, seq)
) with (fillfactor = 85);
create index transactions_due on transactions (due_at) where due_at is not null;
create index transactions_stuck on transactions (changed_at) where stage = 'stuck';
create index transactions_cvv on transactions (created_at) where sealed_cvv is not null;
create unique index transactions_idempotency on transactions (merchant_id, idempotency_key)
  where idempotency_key is not null;

create table cards (
  merchant_id  bigint not null,
  card_id      bigint not null,
  sealed       bytea not null,
  data_key_id  integer not null,
  -- HMAC of the number under the lookup key: equal cards are recognised without being opened.
  fingerprint  bytea not null,
  bin          text not null,
  last_four    text not null,
  brand        text not null,
  -- Unknown of a card that only receives money.
  expire_month integer,
  expire_year  integer,
  holder       text,
  created_at   timestamptz not null,
  primary key (merchant_id, card_id),
  check ((expire_month is null) = (expire_year is null))
);
create index cards_fingerprint on cards (merchant_id, fingerprint);

-- A merchant's name for a stored card: one per stored card, gone when it is deleted.
create table card_references (
  merchant_id  bigint not null,
  reference_id bigint not null,
  card_id      bigint not null,
  created_at   timestamptz not null,
  deleted_at   timestamptz,
  primary key (merchant_id, reference_id),
  constraint card_references_card unique (merchant_id, card_id)
);

-- The request that confirmed an order which was waiting for it.
create table confirmations (
  merchant_id       bigint not null,
  order_id          bigint not null,
  request_serial    uuid not null,
  fingerprint       bytea not null,
  idempotency_key   text,
  idempotency_until timestamptz,
  created_at        timestamptz not null,
  primary key (merchant_id, order_id)
);
create unique index confirmations_idempotency on confirmations (merchant_id, idempotency_key)
  where idempotency_key is not null;

create table order_events (
  merchant_id bigint not null,
  order_id    bigint not null,
  version     integer not null,
  at          timestamptz not null,
  event       jsonb not null,
  primary key (merchant_id, order_id, version)
);

-- What an accepted control of an operation that creates no order stood for.
create table control_readings (
  merchant_id bigint not null,
  digest      bytea not null,
  reading     bytea not null,
  at          timestamptz not null,
  primary key (merchant_id, digest)
);

-- Money: double entry ------------------------------------------------------------------------------------------

create table ledger_entries (
  merchant_id bigint not null,
  order_id    bigint not null,
  seq         integer not null,
  line        integer not null,
  account     text not null,
  currency    text not null,
  amount      bigint not null check (amount <> 0),
  at          timestamptz not null,
  primary key (merchant_id, order_id, seq, line)
);

create table accounts (
  merchant_id bigint not null,
  account     text not null,
  currency    text not null,
  balance     bigint not null,
  primary key (merchant_id, account, currency)
) with (fillfactor = 50);

-- One line per request, refused ones too -----------------------------------------------------------------------

create table journal (
  serial_number uuid primary key,
  at            timestamptz not null,
  operation     text,
  path_id       text,
  merchant_id   bigint,
  order_id      bigint,
  http_status   integer not null,
  error_code    integer,
  request       jsonb not null,
  reply         jsonb not null,
  milliseconds  real not null
);
create index journal_order on journal (merchant_id, order_id) where order_id is not null;
