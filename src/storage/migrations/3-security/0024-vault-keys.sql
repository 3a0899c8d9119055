-- Keys of digests can change: payers' links and marks of requests have their own, and a state for those that come and go.

alter table data_keys drop constraint data_keys_purpose_check;
alter table data_keys add constraint data_keys_purpose_check
  check (purpose in ('seal', 'lookup', 'links', 'marks', 'records'));
-- False of a key for digests that every node learns first, before anything is made under it.
alter table data_keys add column in_use boolean not null default true;
-- Of an older key for digests: until when something made under it may be looked for.
alter table data_keys add column needed_until timestamptz;
