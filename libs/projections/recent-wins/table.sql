create table if not exists recent_wins_players_v2 (
  wallet text primary key,
  public_id text not null,
  nickname text
);
create table if not exists recent_wins_v2 (
  position bigint primary key,
  wallet text not null,
  game text not null,
  round text not null,
  stake numeric not null,
  payout numeric not null,
  created_at timestamptz not null
);
