-- Which bank issued a card. A table is written part by part under a new number, and used when all of it is there; 0 is
-- none.
create table bin_tables (
  only_row boolean primary key default true check (only_row),
  used     integer not null,
  newest   integer not null
);
insert into bin_tables (used, newest) values (0, 0);

create table bin_rows (
  table_number integer not null,
  bin          text not null check (bin ~ '^[0-9]{4,8}$'),
  bank         text,
  country      text check (country ~ '^[A-Z]{3}$'),
  primary key (table_number, bin)
);

-- The first eight digits of numbers of sixteen or more, by which issuers are told apart.
alter table cards add column issuer_digits text check (issuer_digits ~ '^[0-9]{8}$');
-- Not beginning with the merchant: on an empty table the planner takes it for as good as the primary key otherwise.
drop index cards_fingerprint;
create index cards_fingerprint on cards (fingerprint, merchant_id);
