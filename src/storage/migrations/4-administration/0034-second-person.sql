-- Deeds about money that wait for a second person.
select 1;
