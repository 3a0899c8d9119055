-- Receipts that payers are sent. A row is written before the card of a hosted form is taken, so that no receipt is
-- forgotten whatever happens then; the address is that of the order and not repeated here.
--
--   waiting   for the end of the order, or for the mail server
--   sending   the message was about to go out: who finds it so afterwards cannot know whether it did
--   sent, dropped (there is nothing to tell), failed (nobody takes it), unknown (it may have been sent): for good
create table receipt_mails (
  merchant_id bigint not null,
  order_id bigint not null,
  language text not null,
  state text not null,
  attempts integer not null,
  due_at timestamptz,
  lease_owner uuid,
  fault text,
  created_at timestamptz not null,
  changed_at timestamptz not null,
  primary key (merchant_id, order_id)
);

create index receipt_mails_due on receipt_mails (due_at) where due_at is not null;
create index receipt_mails_changed on receipt_mails (changed_at);
