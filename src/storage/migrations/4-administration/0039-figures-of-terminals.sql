-- Orders by the terminals that were asked about them: once at each, as the last try there stands. An order that was sent
-- nowhere is in no row.
create table terminal_figures (
  width       integer not null,
  begins_at   timestamptz not null,
  merchant_id bigint not null,
  endpoint_id bigint not null,
  currency    text not null,
  terminal    text not null,
  status      text not null,
  orders      bigint not null,
  primary key (width, begins_at, merchant_id, endpoint_id, currency, terminal, status)
);

-- Figures of orders name no terminal any more.
create table summed as
  select width, begins_at, merchant_id, endpoint_id, currency, operation, status, reason, sum(orders) as orders,
    sum(amount) as amount
  from figures group by 1, 2, 3, 4, 5, 6, 7, 8;
delete from figures;
alter table figures drop column terminal;
alter table figures
  add primary key (width, begins_at, merchant_id, endpoint_id, currency, operation, status, reason);
insert into figures select * from summed;
drop table summed;

-- All that was counted is counted again, the newest first; what is there stays to be seen meanwhile.
update figures_counted set from_at = to_at;
