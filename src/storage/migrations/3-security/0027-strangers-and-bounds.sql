-- Strangers: whose requests are kept shorter, how many each network sent, and which addresses are no strangers'.

-- Lines of the journal about requests whose sender is not known are removed earlier than the others.
create index journal_strangers on journal (serial_number) where merchant_id is null;

-- Requests without a right signature, by minute and network (/24 or /64), of all nodes. Lost after a crash of the
-- server, which does no harm: they are about the present minute.
create unlogged table stranger_counts (
  minute timestamptz not null,
  block  text collate "C" not null,
  asked  integer not null,
  primary key (minute, block)
);

-- Addresses from which a request came that was signed rightly.
create table recognised_addresses (
  address text collate "C" primary key,
  seen_at timestamptz not null
);

-- Records that are removed by age.
create index callback_attempts_at on callback_attempts (at);
create index control_readings_at on control_readings (merchant_id, at);
create index form_requests_minute on form_requests (minute);
