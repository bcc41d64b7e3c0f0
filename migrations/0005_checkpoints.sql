-- How far each follower of the book has come, and which process may move it on. The publisher follows as well.
create table checkpoints (
  name text not null,
  version int not null check (version > 0),
  position bigint not null default 0 check (position >= 0),
  status text not null default 'running' check (status in ('running', 'stopped')),
  -- Why it stopped, in words and with the position.
  error text,
  holder text,
  -- Grows with every change of holder: whoever comes with an older one changes nothing.
  lease_epoch bigint not null default 0,
  -- Null: free to take.
  lease_until timestamptz,
  updated_at timestamptz not null default now(),
  primary key (name, version),
  check ((status = 'stopped') = (error is not null))
) with (fillfactor = 10);

grant select, insert, update, delete on checkpoints to reelbook_app, reelbook_projector;
