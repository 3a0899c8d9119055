-- What people look for in the traffic of merchants. Neither index costs a sale anything that could be measured.

-- Requests whose sender is not known, by the endpoint or group that they called: no sale is among them.
create index journal_strangers_by_path on journal (path_id, serial_number) where merchant_id is null;

-- Statements are about a range of days. Entries come in the order of time, so a line for every few pages is enough.
create index ledger_entries_at on ledger_entries using brin (at);
