-- Server seeds, encrypted with a key that the database never sees. A row is written before its hash is committed to
-- in the ledger; one whose commitment never came is harmless.
create table server_seeds (
  hash bytea primary key check (length(hash) = 32),
  key_id text not null,
  nonce bytea not null check (length(nonce) = 12),
  ciphertext bytea not null,
  created_at timestamptz not null default now()
);

-- Who is logged in. Only a hash of the token: the table is of no use to a thief.
create table sessions (
  token_hash bytea primary key check (length(token_hash) = 32),
  wallet text not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_by_wallet on sessions (wallet);
create index sessions_by_expiry on sessions (expires_at);

create trigger append_only before update or delete or truncate on server_seeds
  for each statement execute function refuse_change();

grant select, insert on server_seeds to reelbook_app;
grant select, insert, update, delete on sessions to reelbook_app;

-- Who is signed in to the operators' console. Only a hash of the token, as in `sessions`. Who is an operator, and as
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
