-- Deeds about money that wait for a second person.

-- Above which amounts, such as '500.00 EUR', a merchant's money is moved by two people together.
alter table merchants add column second_person_above text[] not null default '{}';

-- Gone once it was approved, rejected or has expired: the audit chain and the order's events keep its story.
create table waiting_deeds (
  deed_id       bigint primary key,
  kind          text not null check (kind in ('capture', 'void', 'return', 'payout', 'settlement')),
  merchant_id   bigint not null,
  order_id      bigint not null,
  -- Of a settlement: the transaction, and what the bank told of it.
  seq           integer,
  outcome       text check (outcome in ('approved', 'declined', 'reversed')),
  amount        bigint not null check (amount > 0),
  currency      text not null,
  -- What a return gives back, where the person says it.
  source        text check (source in ('hold', 'payment')),
  -- Whether it is meant although an equal one was made a short time before.
  again         boolean not null,
  reason        text not null,
  -- As the audit chain names them; the person alone where it was one.
  asked_by      text not null,
  asker         text,
  asked_at      timestamptz not null,
  expires_at    timestamptz not null,
  check ((kind = 'settlement') = (seq is not null)),
  check ((kind = 'settlement') = (outcome is not null))
);
