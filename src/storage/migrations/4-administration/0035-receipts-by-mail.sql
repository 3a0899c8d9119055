-- Receipts that payers are sent.
select 1;
