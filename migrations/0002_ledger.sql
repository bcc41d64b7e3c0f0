-- The ledger. Postgres keeps it, one head row orders it, and nothing in it is ever changed or taken out.

-- The few facts on which every append must agree. Locked first by every append, so appends are serial:
-- positions are dense, in commit order, and no two appends can deadlock.
create table ledger_head (
  singleton boolean primary key default true check (singleton),
  position bigint not null check (position >= 0),
  hash bytea not null check (length(hash) = 32),
  recorded_at timestamptz not null,
  config_version bigint not null check (config_version >= 0),
  token_margin numeric not null
) with (fillfactor = 10);

insert into ledger_head values (true, 0, decode(repeat('00', 32), 'hex'), '-infinity', 0, 0);

-- A stream's name as 16 bytes, so that indexes stay narrow.
create function stream_key(name text) returns uuid
language sql immutable strict parallel safe
as $$ select encode(substring(sha256(convert_to(name, 'UTF8')) for 16), 'hex')::uuid $$;

-- One row a stream: its current state next to its version, so that a command reads a single row.
create table streams (
  key uuid primary key,
  name text not null, -- its form is checked by append, once
  version bigint not null check (version > 0),
  state json not null,
  state_schema int not null check (state_schema > 0)
) with (fillfactor = 50);

-- `body` is json, not jsonb: it is kept as the very text that was hashed.
-- No further indexes of every event: they would be paid by every append. The console reads projections.
create table events (
  -- Columns of 8 bytes first: between others each would be padded.
  position bigint primary key,
  first_position bigint not null check (first_position <= position),
  version bigint not null check (version > 0),
  recorded_at timestamptz not null,
  stream uuid not null,
  type text not null,
  body json not null,
  hash bytea not null check (length(hash) = 32),
  unique (stream, version)
  -- Events are only added, so there is nothing to vacuum. A vacuum after inserts would hand out the last bytes of old pages:
  -- each small event would go to another old page, read from the disk and written to the log in full.
) with (autovacuum_vacuum_insert_threshold = -1);

-- A bet names the number of its pair of seeds; this finds the commitment before it.
create index events_commitments on events (stream, version) where type = 'SeedsCommitted';

-- What can happen once, ever: each command has an idempotency key, `<scope>:<name>`, stored as 4 bytes of the SHA-256 of its
-- scope and 12 of the SHA-256 of all of it, so that the keys of one player lie together in the index (`hashKey`
-- does the same). Clients choose the names of theirs; a login, a deposit on the chain, a seal or an attempt of a withdrawal
-- has one of its own kind.
create function idempotency_key(name text) returns uuid
language sql immutable strict parallel safe
as $$ select encode(substring(sha256(convert_to(split_part(name, ':', 1), 'UTF8')) for 4)
  || substring(sha256(convert_to(name, 'UTF8')) from 5 for 12), 'hex')::uuid $$;

create table idempotency_keys (
  key uuid primary key,
  request_hash bytea not null check (length(request_hash) = 32),
  position bigint not null
);

create function refuse_change() returns trigger
language plpgsql
as $$
begin
  raise exception 'the ledger is append-only: % on % is refused', tg_op, tg_table_name
    using errcode = 'restrict_violation';
end $$;

create trigger append_only before update or delete or truncate on events
  for each statement execute function refuse_change();
create trigger append_only before update or delete or truncate on idempotency_keys
  for each statement execute function refuse_change();
create trigger no_delete before delete or truncate on streams
  for each statement execute function refuse_change();
create trigger no_delete before delete or truncate on ledger_head
  for each statement execute function refuse_change();

grant select on ledger_head, streams, events, idempotency_keys to reelbook_app, reelbook_projector;
