-- How many cards a payer may try on a hosted form: what an endpoint is set to (without a setting it depends on its
-- replies), and what an order was made with.
alter table endpoints add column form_tries integer check (form_tries between 1 and 5);
alter table orders add column form_tries integer check (form_tries between 1 and 5);
