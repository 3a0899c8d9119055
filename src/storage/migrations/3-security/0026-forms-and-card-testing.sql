-- Orders that nobody signed have an id space of their own, so that none stands in the way of a signed one. Which of the
-- orders before were unsigned is not known for certain: they keep the ids they took.
alter table orders add column unsigned boolean not null default false;
alter table orders drop constraint orders_client_order_id;
alter table orders add constraint orders_client_order_id unique (client_order_id, merchant_id, unsigned);

-- Unset: unsigned forms are taken in a sandbox only. "Off" was the first value, and nobody can tell who chose it.
alter table endpoints alter column signed_forms drop not null;
alter table endpoints alter column signed_forms drop default;
update endpoints set signed_forms = null where not signed_forms;

-- Where unsigned orders may redirect and call back to.
alter table endpoints add column form_addresses text[] not null default '{}';

-- Card testing: unset, payers who try card after card are stopped everywhere but in a sandbox.
alter table endpoints add column card_testing boolean;
alter table endpoints add column cards_per_network integer not null default 10 check (cards_per_network between 2 and 1000);
alter table endpoints add column cards_per_email integer not null default 5 check (cards_per_email between 2 and 1000);

-- Which cards were tried from where, and how it ended. Source and card are keyed digests. A source is written once a card
-- of it was declined; an approval is written only where it makes good for declines.
create table card_tries (
  merchant_id bigint not null,
  source      bytea not null,
  card        bytea not null,
  kind        text not null check (kind in ('address', 'email')),
  declined    boolean not null,
  at          timestamptz not null,
  primary key (merchant_id, source, card)
);
create index card_tries_at on card_tries (at);
