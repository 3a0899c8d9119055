-- People who belong to a merchant, and what was changed by requests that may be repeated.
select 1;
