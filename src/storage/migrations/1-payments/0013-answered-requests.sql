-- Requests that were answered with an order without making one of its transactions: repeats, uploads, card references.
-- STATUS finds the order's transaction by their serial numbers too.
create table answered_requests (
  merchant_id     bigint not null,
  order_id        bigint not null,
  request_serial  uuid not null,
  -- Of the request that made the transaction.
  original_serial uuid not null,
  at              timestamptz not null,
  primary key (merchant_id, order_id, request_serial)
);
