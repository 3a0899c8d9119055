-- Terminals whose bank does not answer, as all nodes see them, and what was approved in a day at those with a limit.
create table terminal_states (
  terminal    text primary key,
  -- Counts changes; a change is written only over the version it was decided on.
  version     integer not null,
  is_open     boolean not null,
  opens       integer not null,
  -- While it is open: when its line may be tried again. Otherwise when it closed.
  at          timestamptz not null,
  reason      text not null,
  -- Until when one node tries the line.
  tried_until timestamptz not null
);

create table terminal_days (
  terminal text not null,
  -- In UTC.
  day      date not null,
  currency text not null,
  payments bigint not null,
  amount   bigint not null,
  primary key (terminal, day, currency)
);
