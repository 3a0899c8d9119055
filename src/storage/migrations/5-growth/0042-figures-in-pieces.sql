-- Orders are counted piece by piece, outside of a transaction: how often counted time was taken back tells whether it
-- was meanwhile (docs/decisions/0040).
alter table figures_counted add column taken_back bigint not null default 0;
