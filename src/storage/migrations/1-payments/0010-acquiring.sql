-- How an endpoint's acquirer made it known to the card networks; every 3-D Secure message says so. The simulated networks
-- take anything, real ones what was agreed with them.
alter table endpoints
  add column acquirer_bin text not null default '400000' check (acquirer_bin ~ '^[0-9]{1,11}$'),
  add column acquirer_merchant_id text check (acquirer_merchant_id ~ '^[!-~]{1,24}$'),
  add column category text not null default '5999' check (category ~ '^[0-9]{4}$'),
  add column country text not null default 'US' check (country ~ '^[A-Z]{2}$');
update endpoints set acquirer_merchant_id = endpoint_id::text;
alter table endpoints
  alter column acquirer_bin drop default,
  alter column acquirer_merchant_id set not null,
  alter column category drop default,
  alter column country drop default;
