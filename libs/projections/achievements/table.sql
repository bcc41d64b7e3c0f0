create table if not exists achievements_progress_v1 (
  wallet text primary key,
  games bigint not null,
  wins bigint not null,
  slot_games bigint not null,
  won numeric not null,
  highest_stake numeric not null
);
create table if not exists achievements_v1 (
  wallet text not null,
  name text not null,
  position bigint not null,
  earned_at timestamptz not null,
  primary key (wallet, name)
);
