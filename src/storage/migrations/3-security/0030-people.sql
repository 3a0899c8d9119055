-- People who work with the gateway: who they are, the ways they sign in, their sessions and tokens, and failed tries.
-- Cookies, tokens and one-time codes are kept as digests only; secrets of authenticator apps are sealed.

create table people (
  name          text primary key check (name ~ '^[a-z0-9][a-z0-9._-]{0,39}$'),
  role          text not null check (role in ('viewer', 'operator', 'administrator', 'auditor')),
  enabled       boolean not null default true,
  created_at    timestamptz not null,
  -- What a passkey knows its owner by.
  handle        bytea not null unique check (length(handle) = 32),
  -- With the parameters it was made with: scrypt$15$8$1$salt$hash.
  password      text,
  totp_sealed   bytea,
  totp_key_id   integer,
  -- Null until the first code has shown that the app has the secret.
  totp_since    timestamptz,
  -- The step of the last code: a code is used once.
  totp_step     bigint not null default 0,
  -- A one-time code for the first sign-in.
  link_digest   bytea unique check (length(link_digest) = 32),
  link_until    timestamptz,
  check ((totp_sealed is null) = (totp_key_id is null)),
  check (totp_since is null or totp_sealed is not null),
  check ((link_digest is null) = (link_until is null))
);

create table passkeys (
  credential_id text primary key,
  person        text not null references people,
  public_key    bytea not null,
  -- How often it was used, where it counts: a copy would fall behind.
  counter       bigint not null,
  transports    text[] not null default '{}',
  label         text not null,
  created_at    timestamptz not null,
  used_at       timestamptz
);
create index on passkeys (person);

create table person_sessions (
  digest        bytea primary key check (length(digest) = 32),
  person        text not null references people,
  way           text not null check (way in ('password', 'password and code', 'passkey', 'link')),
  address       text not null,
  browser       text not null,
  signed_in_at  timestamptz not null,
  seen_at       timestamptz not null
);
create index on person_sessions (person);
create index on person_sessions (seen_at);

create table person_tokens (
  token_id      text primary key,
  digest        bytea not null unique check (length(digest) = 32),
  person        text not null references people,
  label         text not null,
  -- A role or verbs, and not both.
  role          text check (role in ('viewer', 'operator', 'administrator', 'auditor')),
  verbs         text[],
  created_at    timestamptz not null,
  ends_at       timestamptz not null,
  used_at       timestamptz,
  revoked_at    timestamptz,
  check ((role is null) <> (verbs is null)),
  check (ends_at <= created_at + interval '367 days')
);
create index on person_tokens (person);

-- By name and by address, also of people who do not exist.
create table sign_in_failures (
  key           text primary key,
  count         integer not null,
  last_at       timestamptz not null
);
create index on sign_in_failures (last_at);

-- Challenges that passkeys have answered: none is answered twice.
create table used_challenges (
  digest        bytea primary key check (length(digest) = 32),
  ends_at       timestamptz not null
);
create index on used_challenges (ends_at);
