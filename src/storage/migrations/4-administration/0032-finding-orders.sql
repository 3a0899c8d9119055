-- Indexes by which people find orders, requests and callbacks.
select 1;
