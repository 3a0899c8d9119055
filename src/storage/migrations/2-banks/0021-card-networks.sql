-- The directory servers that card networks run themselves, one of a brand: where each is, which certificates both sides
-- show, and the names by which it knows this 3DS server. A brand without one is asked for at the general server.
create table card_networks (
  brand          text primary key,
  address        text not null,
  ca             text,
  certificate    text,
  sealed_key     bytea,
  data_key_id    integer,
  operator_id    text,
  requestor_id   text,
  requestor_name text,
  acquirer_bin   text,
  updated_at     timestamptz not null,
  check ((sealed_key is null) = (data_key_id is null)),
  check ((sealed_key is null) = (certificate is null))
);
