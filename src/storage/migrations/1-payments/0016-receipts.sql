-- Receipts are looked up by their id. Ids that are given from now on hold the order's own; those given before are random
-- (version 4), and found by this index, which no new order is in.
create index orders_random_receipt on orders (receipt_id) where substr(receipt_id::text, 15, 1) = '4';
