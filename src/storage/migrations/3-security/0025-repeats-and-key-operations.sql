-- Keys that stand for requests are forgotten when their time is over: without an index every look reads them all.
create index transactions_idempotency_until on transactions (idempotency_until) where idempotency_key is not null;

-- What a key may sign; empty means everything.
alter table merchant_keys add column operations text[] not null default '{}';

-- Whether RETURN and CAPTURE must say their amount, and whether all endpoints of a merchant take strict signatures only.
alter table endpoints add column demand_amounts boolean not null default false;
alter table merchants add column strict_signing boolean not null default false;
