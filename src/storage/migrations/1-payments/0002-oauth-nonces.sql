-- Nonces of accepted OAuth signatures: each is taken once, on any node. The time comes first in the key, so that one
-- index serves both the taking and the removal of those that are too old to be sent again.

create table oauth_nonces (
  said_at     timestamptz not null,
  merchant_id bigint not null,
  nonce       text collate "C" not null,
  primary key (said_at, merchant_id, nonce)
);
