-- Who is signed in to the operators' console. Only a hash of the token, as in `sessions`. Who is an operator, and as
-- what, stands in the book: a session alone gives nothing.
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
