-- What only grows lies in a partition for each calendar month (docs/decisions/0067): requests, changes of orders, and
-- tries to call merchants. Rows of before stay where they are: their table becomes the first partition. What has no
-- month yet goes to the rest, so that nothing is refused for want of one.

alter table journal rename to journal_before;
alter index journal_pkey rename to journal_before_pkey;
alter index journal_order rename to journal_before_order;
alter index journal_strangers rename to journal_before_strangers;
alter index journal_by_merchant rename to journal_before_by_merchant;
alter index journal_refused rename to journal_before_refused;
alter index journal_strangers_by_path rename to journal_before_strangers_by_path;

-- Serial numbers begin with their time: the first of a month is a bound, and finds the month of a line.
create table journal (
  serial_number uuid not null,
  at            timestamptz not null,
  operation     text,
  path_id       text,
  merchant_id   bigint,
  order_id      bigint,
  http_status   integer not null,
  error_code    integer,
  request       json not null,
  reply         json not null,
  milliseconds  real not null,
  shard         smallint not null default 0,
  constraint journal_shard check (shard = coalesce(merchant_id, 0) >> 32),
  primary key (serial_number, shard)
) partition by range (serial_number);
create index journal_order on journal (merchant_id, order_id) where order_id is not null;
create index journal_strangers on journal (serial_number) where merchant_id is null;
create index journal_by_merchant on journal ((merchant_id + 0), serial_number) where merchant_id is not null;
create index journal_refused on journal ((merchant_id + 0), serial_number)
  where merchant_id is not null and error_code is not null;
create index journal_strangers_by_path on journal (path_id, serial_number) where merchant_id is null;

-- The version of an order is guarded by its own row; here the time, which tells the month, has to be in the key.
alter table order_events rename to order_events_before;
alter table order_events_before drop constraint order_events_pkey;
alter table order_events_before
  add constraint order_events_before_pkey primary key (merchant_id, order_id, version, at, shard);
create table order_events (
  merchant_id bigint not null,
  order_id    bigint not null,
  version     integer not null,
  at          timestamptz not null,
  event       json not null,
  shard       smallint not null default 0,
  constraint order_events_shard check (shard = merchant_id >> 32),
  primary key (merchant_id, order_id, version, at, shard)
) partition by range (at);

alter table callback_attempts rename to callback_attempts_before;
alter index callback_attempts_pkey rename to callback_attempts_before_pkey;
alter index callback_attempts_at rename to callback_attempts_before_at;
create table callback_attempts (
  merchant_id  bigint not null,
  order_id     bigint not null,
  seq          integer not null,
  target       text not null,
  at           timestamptz not null,
  address      text,
  http_status  integer,
  milliseconds integer not null,
  fault        text,
  answer       text,
  shard        smallint not null default 0,
  constraint callback_attempts_shard check (shard = merchant_id >> 32),
  primary key (merchant_id, order_id, seq, target, at, shard)
) partition by range (at);
create index callback_attempts_at on callback_attempts (at);

-- Who might do what with a table may do it with its successor. Rows of before are taken to reach to the end of the
-- present month, or of the next where the newest row lies there; where there are none, nothing of that table is left.
-- The few rows of a clock that went further ahead go to the rest, or no month would begin before theirs is over.
do $$
declare
  parent text;
  former text;
  newest timestamptz;
  upto timestamptz;
  bound text;
  parted_by text;
  columns text;
  granted record;
  is_spread boolean := false;
begin
  foreach parent in array array['journal', 'order_events', 'callback_attempts'] loop
    former := parent || '_before';
    if exists (select from pg_class where relname = 'pg_dist_partition') then
      execute format('select exists (select from pg_dist_partition where logicalrelid = %L::regclass)', former)
        into is_spread;
    end if;
    if is_spread then
      execute format('select create_distributed_table(%L, %L, colocate_with => %L)', parent, 'shard', 'orders');
    end if;

    execute format('create table %I partition of %I default', parent || '_rest', parent);

    -- What is granted of every new table is more than what may be done with these.
    for granted in
      select distinct c.oid::regclass::text as name, a.grantee::regrole::text as role
      from pg_class c, aclexplode(c.relacl) a
      where c.oid in (parent::regclass, (parent || '_rest')::regclass) and a.grantee not in (0, c.relowner)
    loop
      execute format('revoke all on %s from %s', granted.name, granted.role);
    end loop;
    for granted in
      select a.grantee::regrole::text as role, a.privilege_type as privilege
      from pg_class c, aclexplode(c.relacl) a
      where c.oid = former::regclass and a.grantee not in (0, c.relowner)
    loop
      execute format('grant %s on %I to %s', granted.privilege, parent, granted.role);
      if granted.privilege = 'SELECT' then
        execute format('grant select on %I to %s', parent || '_rest', granted.role);
      end if;
    end loop;
    execute format('alter table %I owner to %s', parent,
      (select relowner::regrole::text from pg_class where oid = former::regclass));
    execute format('alter table %I owner to %s', parent || '_rest',
      (select relowner::regrole::text from pg_class where oid = former::regclass));

    if parent = 'journal' then
      select to_timestamp(('x' || left(replace(serial_number::text, '-', ''), 12))::bit(48)::bigint / 1000.0)
        into newest from journal_before order by serial_number desc limit 1;
    else
      execute format('select max(at) from %I', former) into newest;
    end if;
    if newest is null then
      execute format('drop table %I', former);
    else
      upto := (date_trunc('month', least(greatest(newest, now()), now() + interval '1 month') at time zone 'UTC')
        + interval '1 month') at time zone 'UTC';
      bound := upto::text;
      parted_by := 'at';
      if parent = 'journal' then
        parted_by := 'serial_number';
        bound := lpad(to_hex((extract(epoch from upto) * 1000)::bigint), 12, '0') || repeat('0', 20);
      end if;
      if newest >= upto then
        select string_agg(format('%I', attname), ', ') into columns
          from pg_attribute where attrelid = parent::regclass and attnum > 0 and not attisdropped;
        execute format('insert into %I (%s) select %s from %I where %I >= %L',
          parent, columns, columns, former, parted_by, bound);
        execute format('delete from %I where %I >= %L', former, parted_by, bound);
      end if;
      execute format('alter table %I attach partition %I for values from (minvalue) to (%L)', parent, former, bound);
    end if;
  end loop;
end $$;

-- Months that were written to files and are no longer here.
create table archives (
  table_name  text not null,
  -- `2026-05`, or `before-2026-06` of rows from before there were months.
  month       text not null,
  -- Rows are from before this moment.
  ended_at    timestamptz not null,
  rows        bigint not null,
  -- What the end of the file says of its lines.
  sha256      text not null,
  file        text not null,
  archived_at timestamptz not null,
  primary key (table_name, month)
);
