-- `n` numbers a player's rounds of one game from 1 without gaps: the highest is their count.
create table if not exists rounds_v1 (
  round text primary key,
  wallet text not null,
  game text not null,
  n bigint not null,
  stake numeric not null,
  lines int not null,
  rules text not null,
  server_seed_hash text not null,
  client_seed text not null,
  nonce bigint not null,
  bet_position bigint not null,
  placed_at timestamptz not null,
  payout numeric,
  outcome json,
  position bigint,
  settled_at timestamptz
);
create unique index if not exists rounds_v1_by_player on rounds_v1 (wallet, game, n);
