-- One sample a minute of the head and of what lags behind it. The console draws rates and lag from them; without a sample there is a gap.
create table samples (
  -- The minute; its primary key makes the first of several processes the writer.
  at timestamptz primary key check (at = date_trunc('minute', at)),
  -- Head of the ledger.
  position bigint not null check (position >= 0),
  -- The projection whose oldest event not applied yet is the oldest, and the age of that event in seconds; null and 0 if none waits.
  projection text,
  projection_behind_s float8 not null,
  publisher_behind_s float8 not null
);

grant select, insert, delete on samples to reelbook_app;
