-- What a person began without a second one counts as long as the order lives, and its events may be archived: whoever
-- archives them marks these transactions first.
alter table transactions add column begun_alone boolean not null default false;
