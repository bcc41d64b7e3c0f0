-- One row an event: what an operator finds events by. Amounts are what the event gave the stream's player, signed.
-- `actor` is null where the player of the stream acted. bigint amounts: no event moves more than 10^18.
create table if not exists explorer_v1 (
  position bigint primary key,
  recorded_at timestamptz not null,
  type text not null,
  kind text not null,
  wallet text,
  version bigint not null,
  points bigint,
  token bigint,
  game text,
  round text,
  rules text,
  correlation text not null,
  command text not null,
  actor text
);
create index if not exists explorer_v1_wallet on explorer_v1 (wallet, position)
  where wallet is not null;
-- The three of every bet are found by walking back from the newest.
create index if not exists explorer_v1_type on explorer_v1 (type, position)
  where type not in ('BetPlaced', 'BetWon', 'BetLost');
create index if not exists explorer_v1_game on explorer_v1 (game, position) where game is not null;
create index if not exists explorer_v1_rules on explorer_v1 (rules, position)
  where rules is not null;
create index if not exists explorer_v1_actor on explorer_v1 (actor, position)
  where actor is not null;
create index if not exists explorer_v1_points on explorer_v1 (abs(points), position)
  where points is not null;
create index if not exists explorer_v1_token on explorer_v1 (abs(token), position)
  where token is not null;
-- Few rows each, so their order costs nothing. A round has two or three: a hash is the smallest.
create index if not exists explorer_v1_round on explorer_v1 using hash (round)
  where round is not null;
create index if not exists explorer_v1_correlation on explorer_v1 (correlation);

create table if not exists explorer_players_v1 (
  wallet text primary key,
  public_id text not null unique,
  nickname text
);
