-- Ways to banks: a connector with its settings, and what each of them takes. A connector's secrets are sealed together.
create table terminals (
  name text primary key check (name ~ '^[a-z][a-z0-9-]{0,39}$'),
  connector text not null,
  settings jsonb not null default '{}',
  secret_names text[] not null default '{}',
  sealed bytea,
  data_key_id integer,
  enabled boolean not null default true,
  currencies text[] not null default '{}',
  brands text[] not null default '{}',
  operations text[] not null default '{}',
  minimum text check (minimum ~ '^\d{1,12}(\.\d{1,3})?$'),
  maximum text check (maximum ~ '^\d{1,12}(\.\d{1,3})?$'),
  day_amount text check (day_amount ~ '^\d{1,12}(\.\d{1,3})?$'),
  day_count integer check (day_count > 0),
  merchant_number text check (merchant_number ~ '^[!-~]{1,24}$'),
  terminal_number text check (terminal_number ~ '^[!-~]{1,16}$'),
  created_at timestamptz not null,
  check ((sealed is null) = (data_key_id is null)),
  check ((sealed is null) = (secret_names = '{}'))
);
-- The simulated bank that every gateway knows, and that all orders have gone to so far.
insert into terminals (name, connector, created_at) values ('demo-bank', 'simulator', now());
