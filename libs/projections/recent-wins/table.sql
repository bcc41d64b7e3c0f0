create table if not exists recent_wins_players_v1 (
  wallet text primary key,
  public_id text not null,
  nickname text
);
-- From `position` on, a win of at least `multiple` times its stake is big.
create table if not exists recent_wins_multiples_v1 (
  position bigint primary key,
  multiple numeric not null
);
create table if not exists recent_wins_v1 (
  position bigint primary key,
  wallet text not null,
  game text not null,
  round text not null,
  stake numeric not null,
  payout numeric not null,
  created_at timestamptz not null
);
