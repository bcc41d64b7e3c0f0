-- Server seeds, encrypted with a key that the database never sees. A row is written before its hash is committed to
-- in the ledger; one whose commitment never came is harmless.
create table server_seeds (
  hash bytea primary key check (length(hash) = 32),
  key_id text not null,
  nonce bytea not null check (length(nonce) = 12),
  ciphertext bytea not null,
  created_at timestamptz not null default now()
);

-- Players that are logged in: one row per login, which all tokens of its refreshes share. `family` is the SHA-256 of the
-- secret in these tokens: the table is of no use to a thief. An ended session has no row.
create table sessions (
  family bytea primary key check (length(family) = 32),
  wallet text not null,
  sign_in text not null check (sign_in in ('sentence', 'siws')),
  -- Browser and system in words of a fixed list.
  device text check (length(device) <= 40),
  -- The one generation of the token that is live; its predecessor is accepted shortly after the refresh.
  generation integer not null default 0 check (generation >= 0),
  created_at timestamptz not null default now(),
  refreshed_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create index sessions_by_wallet on sessions (wallet);
create index sessions_by_expiry on sessions (expires_at);

create trigger append_only before update or delete or truncate on server_seeds
  for each statement execute function refuse_change();

grant select, insert on server_seeds to reelbook_app;
grant select, insert, update, delete on sessions to reelbook_app;

-- Who is signed in to the operators' console. Only a hash of the token's secret, as in `sessions`. Who is an operator, and as
-- what, is in the ledger: a session alone gives nothing.
create table operator_sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  operator text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index operator_sessions_by_operator on operator_sessions (operator);
create index operator_sessions_by_expiry on operator_sessions (expires_at);

grant select, insert, update, delete on operator_sessions to reelbook_app;
