-- What the overview tells, counted ahead of being asked: orders by the time they were made, in spans of five minutes,
-- an hour and a day of UTC. A span is always counted whole and replaced.
create table figures (
  -- In minutes.
  width       integer not null,
  begins_at   timestamptz not null,
  merchant_id bigint not null,
  endpoint_id bigint not null,
  currency    text not null,
  terminal    text not null,
  operation   text not null,
  -- What merchants are shown, and why it ended without money; empty where it did not.
  status      text not null,
  reason      text not null,
  orders      bigint not null,
  -- Strangers may ask for any amounts, and many of them are more than a bigint.
  amount      numeric not null,
  primary key (width, begins_at, merchant_id, endpoint_id, currency, terminal, operation, status, reason)
);
create index figures_unfinished on figures (merchant_id, begins_at)
  where width = 5 and status in ('processing', 'unknown');

-- How long terminals took to answer: how many answers are in each cell of a scale.
create table answer_times (
  width      integer not null,
  begins_at  timestamptz not null,
  terminal   text not null,
  cell       integer not null,
  answers    bigint not null,
  slowest_ms bigint not null,
  primary key (width, begins_at, terminal, cell)
);

-- Spans of five minutes that will be counted again: orders of theirs have not ended, or may still be written.
create table recounted_spans (
  begins_at timestamptz primary key,
  due_at    timestamptz not null
);
create index recounted_spans_due on recounted_spans (due_at);

-- From where to where all was counted, and when last. Whoever counts holds this row.
create table figures_counted (
  only_row boolean primary key default true check (only_row),
  from_at  timestamptz,
  to_at    timestamptz,
  at       timestamptz
);
insert into figures_counted default values;

alter table nodes add column version text, add column began_at timestamptz;
