-- Indexes by which people find orders, requests and callbacks. Each begins with the merchant, and ends in the order of
-- the list, so that a page is a walk along one of them. Sums keep the planner from taking them for as good as the
-- primary key on an empty table.

-- The first six and the last four digits of the card that pays, or of the one that is paid, such as 411111-1111: what
-- is left of two of them beside each other in a file never looks like a whole number.
alter table orders add column card_ends text;
update orders o set card_ends = c.bin || '-' || c.last_four
from cards c
where c.merchant_id = o.merchant_id and c.card_id = coalesce(o.card_id, o.target_card_id);

create index orders_by_card on orders ((merchant_id + 0), right(card_ends, 4), created_at, order_id)
  where card_ends is not null;
create index orders_by_email on orders ((merchant_id + 0), lower(details ->> 'email'), created_at, order_id);
create index orders_by_address on orders
  ((merchant_id + 0), coalesce(details ->> 'payerAddress', details ->> 'ipAddress'), created_at, order_id);

-- Transactions know nothing of the time of their order, so what they find is in the order of ids.
create index transactions_by_rrn on transactions ((merchant_id + 0), rrn, order_id) where rrn is not null;
create index transactions_by_approval_code on transactions ((merchant_id + 0), approval_code, order_id)
  where approval_code is not null;
-- Those that ended neither approved nor declined, or that nobody knows about: few, and no sale is among them.
create index transactions_unusual on transactions (
    (merchant_id + 0),
    (case when stage = 'filtered' then 'filtered' when stage in ('asking', 'undoing', 'stuck') then 'unknown' else 'error' end),
    order_id
  )
  where original_seq is null and stage in ('asking', 'undoing', 'stuck', 'filtered', 'expired', 'abandoned', 'error');

-- Serial numbers are in the order of time.
create index journal_by_merchant on journal ((merchant_id + 0), serial_number) where merchant_id is not null;
create index journal_refused on journal ((merchant_id + 0), serial_number)
  where merchant_id is not null and error_code is not null;

create index callbacks_by_time on callbacks ((merchant_id + 0), created_at, order_id, seq, target);
drop index callbacks_failed;
create index callbacks_failed on callbacks ((merchant_id + 0), created_at, order_id, seq, target) where state = 'failed';
