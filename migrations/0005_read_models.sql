-- How far each follower of the ledger has come, and which process may move it on. The publisher follows as well.
create table checkpoints (
  name text not null,
  version int not null check (version > 0),
  position bigint not null default 0 check (position >= 0),
  status text not null default 'running' check (status in ('running', 'stopped')),
  -- Why it stopped, in words and with the position.
  error text,
  holder text,
  -- Fencing token: grows with every change of holder, and a write with an older one is refused.
  lease_epoch bigint not null default 0,
  -- Null: free to take.
  lease_until timestamptz,
  updated_at timestamptz not null default now(),
  primary key (name, version),
  check ((status = 'stopped') = (error is not null))
) with (fillfactor = 10);

grant select, insert, update, delete on checkpoints to reelbook_app, reelbook_projector;

-- A projection is rebuilt in parallel with the live one and switched to; the replaced one is kept for a switch back.
create schema projections_rebuilt authorization reelbook_projector;
create schema projections_replaced authorization reelbook_projector;
-- Empty but inside the transaction of a switch, while tables of one name change places.
create schema projections_moving authorization reelbook_projector;

-- Tables take their privileges along when they are switched to.
grant usage on schema projections_rebuilt, projections_replaced to reelbook_app;
alter default privileges for role reelbook_projector in schema projections_rebuilt
  grant select on tables to reelbook_app;
