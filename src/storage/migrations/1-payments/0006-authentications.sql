-- 3-D Secure: payers who prove to be the cardholder, one authentication per transaction that needs it.

create table authentications (
  merchant_id       bigint not null,
  order_id          bigint not null,
  seq               integer not null,
  version           integer not null,
  -- Where it stands, and what was learned: no card number, no security code.
  step              text not null,
  facts             jsonb not null,
  -- Digests of what was taken from outside, so that a repeat is recognised.
  taken             jsonb not null,
  -- The present name of the transaction at the networks, by which they speak of it.
  transaction_id    uuid,
  -- The issuer's proof of a payer who was authenticated.
  sealed_proof      bytea,
  proof_data_key_id integer,
  -- What was said, masked.
  transcript        jsonb not null,
  until             timestamptz not null,
  -- When somebody must look at it: the end of a lease, or of a wait for a payer.
  due_at            timestamptz,
  is_leased         boolean not null,
  started_at        timestamptz not null,
  changed_at        timestamptz not null,
  primary key (merchant_id, order_id, seq)
) with (fillfactor = 70);
create unique index authentications_transaction on authentications (transaction_id) where transaction_id is not null;
create index authentications_due on authentications (due_at) where due_at is not null;
create index authentications_proof on authentications (proof_data_key_id) where sealed_proof is not null;

-- Finds payments whose authentication was never begun, because the node that accepted them died.
create index transactions_authenticating on transactions (changed_at) where stage = 'authenticating';

-- What becomes of a payer whose issuer could not say who they are.
alter table endpoints add column unauthenticated text not null default 'by-gate'
  check (unauthenticated in ('by-gate', 'pass', 'refuse'));
