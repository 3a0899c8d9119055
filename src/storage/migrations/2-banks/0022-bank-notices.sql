-- What banks told us without being asked, by their own names for it: each notice is acted on once, on whichever node.
create table bank_notices (
  terminal    text not null,
  notice_id   text not null,
  received_at timestamptz not null,
  primary key (terminal, notice_id)
);
create index bank_notices_age on bank_notices (received_at);
