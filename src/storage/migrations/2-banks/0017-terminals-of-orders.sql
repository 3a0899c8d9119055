-- Which terminal an order may be sent to, which one each transaction has gone to, and what banks other than the simulated
-- one want and tell: a number of their own for an instruction, the network's id of a charge, an address for the payer.
alter table orders add column route jsonb;
alter table transactions
  add column terminal text not null default 'demo-bank',
  add column trace_id bigint,
  add column told jsonb,
  add column challenge_url text;
