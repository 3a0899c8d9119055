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
