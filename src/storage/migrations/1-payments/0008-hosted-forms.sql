-- The hosted form: orders whose card the payer enters on our page, how the page looks, and who may show it.

-- What happens once the payer has entered a card: it pays, or it waits for the merchant's confirmation.
alter table orders add column form text check (form in ('pays', 'waits'));

-- When the payer entered the card: the security code is forgotten a quarter of an hour later.
alter table transactions add column card_given_at timestamptz;

-- Unsigned forms asked for, by endpoint, network address and minute.
create table form_requests (
  endpoint_id bigint not null references endpoints,
  address     text not null,
  minute      timestamptz not null,
  asked       integer not null,
  primary key (endpoint_id, address, minute)
);

alter table endpoints
  -- Forms whose signature the interface leaves open must be signed all the same.
  add column signed_forms boolean not null default false,
  -- Origins whose pages may show the hosted pages in a frame.
  add column frame_ancestors text[] not null default '{}';

-- How the hosted pages of an endpoint look; what is not set looks like Tender.
create table endpoint_looks (
  endpoint_id bigint primary key references endpoints,
  merchant_id bigint not null references merchants,
  look        jsonb not null,
  -- PNG, JPEG or WebP, as its first bytes say.
  logo        bytea,
  logo_type   text check (logo_type in ('image/png', 'image/jpeg', 'image/webp')),
  logo_digest text,
  check ((logo is null) = (logo_type is null) and (logo is null) = (logo_digest is null))
);
