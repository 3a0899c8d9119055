-- Ids of orders, cards, card references and recurring payments come from one counter: small and dense, because shops
-- store them as 32-bit integers. Nodes take blocks of it. Ids made from the clock have 12 digits or more, and stay.
create table id_counter (
  only_row boolean primary key default true check (only_row),
  next_id  bigint not null check (next_id between 1 and 9007199254740991),
  -- The last id the counter was moved to by a person.
  first_id bigint
);
insert into id_counter (next_id)
select 1 + coalesce(max(id), 0) from (
  select max(order_id) as id from orders where order_id < 100000000000
  union all select max(card_id) from cards where card_id < 100000000000
  union all select max(reference_id) from card_references where reference_id < 100000000000
  union all select max(recurring_payment_id) from recurring_payments where recurring_payment_id < 100000000000
) as counted;

-- A node needs no number any more. It only says that it lives.
drop table nodes;
create table nodes (
  instance    uuid primary key,
  lives_until timestamptz not null
);

-- Nodes use their blocks at their own pace, so only the time of an order says which one is newer.
-- The sum keeps the planner from taking it for as good as the primary key on an empty table.
create index orders_by_time on orders ((merchant_id + 0), created_at, order_id);
create index card_references_by_time on card_references (merchant_id, created_at, reference_id);
