-- The rules by which an endpoint chooses terminals; without them it has one.
alter table endpoints add column route text;
