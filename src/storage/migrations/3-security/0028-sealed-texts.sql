-- Card numbers in wrong fields: what must come back as it was sent is sealed, and keys and nonces are kept as digests.

-- Details that hold a card number: a sealed JSON object. Hardly any order has them.
alter table orders add column sealed_details bytea, add column details_data_key_id integer;
create index orders_sealed_details on orders (details_data_key_id) where sealed_details is not null;
alter table recurring_payments add column sealed_details bytea, add column details_data_key_id integer;

-- From here on these columns hold digests under a key of the vault, which SQL does not have. What is there in clear is
-- marked, and digested when a process of the new version starts, before it takes requests.
update transactions set idempotency_key = 'clear:' || idempotency_key where idempotency_key is not null;
update confirmations set idempotency_key = 'clear:' || idempotency_key where idempotency_key is not null;
update oauth_nonces set nonce = 'clear:' || nonce;

-- Strict signatures were remembered with the idempotency key of their request. They are accepted for five minutes only.
update control_readings set reading = sha256(reading) where substring(digest from 1 for 2) = '\x743d'::bytea;
