create table if not exists player_stats_players_v1 (
  wallet text primary key,
  public_id text not null unique,
  nickname text
);
create table if not exists player_stats_v1 (
  wallet text not null,
  game text not null,
  games bigint not null,
  wins bigint not null,
  staked numeric not null,
  won numeric not null,
  biggest_win numeric not null,
  primary key (wallet, game)
);
