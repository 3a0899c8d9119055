-- Which client certificates a merchant's requests must come with; none are demanded while the list is empty.
alter table merchants add column allowed_certificates text[] not null default '{}';
