-- Whether clients of the endpoint sign amounts of currencies without decimals by hundredths.
alter table endpoints add column signed_in_hundredths boolean not null default false;
