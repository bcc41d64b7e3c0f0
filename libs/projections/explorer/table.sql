-- One row an event: what an operator finds events by. Amounts are what the event gave the stream's player, signed.
-- `actor` is null where the player of the stream acted. bigint amounts: no event moves more than 10^18.
create table if not exists explorer_v2 (
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
  actor text,
  -- Of a transaction on the chain, and of a withdrawal; few events have one.
  signature text,
  withdrawal text,
  -- The first 8 bytes of the event's hash: enough to find it by, and the book says whether it is it.
  hash_prefix bigint not null
);
create index if not exists explorer_v2_wallet on explorer_v2 (wallet, position)
  where wallet is not null;
-- The three of every bet are found by walking back from the newest.
create index if not exists explorer_v2_type on explorer_v2 (type, position)
  where type not in ('BetPlaced', 'BetWon', 'BetLost');
create index if not exists explorer_v2_game on explorer_v2 (game, position) where game is not null;
create index if not exists explorer_v2_rules on explorer_v2 (rules, position)
  where rules is not null;
create index if not exists explorer_v2_actor on explorer_v2 (actor, position)
  where actor is not null;
create index if not exists explorer_v2_points on explorer_v2 (abs(points), position)
  where points is not null;
create index if not exists explorer_v2_token on explorer_v2 (abs(token), position)
  where token is not null;
-- Few rows each, so their order costs nothing. A round has two or three: a hash is the smallest.
create index if not exists explorer_v2_round on explorer_v2 using hash (round)
  where round is not null;
create index if not exists explorer_v2_correlation on explorer_v2 (correlation);
create index if not exists explorer_v2_signature on explorer_v2 (signature)
  where signature is not null;
create index if not exists explorer_v2_withdrawal on explorer_v2 (withdrawal)
  where withdrawal is not null;
create index if not exists explorer_v2_hash on explorer_v2 using hash (hash_prefix);

create table if not exists explorer_players_v2 (
  wallet text primary key,
  public_id text not null unique,
  nickname text
);
create index if not exists explorer_players_v2_wallet
  on explorer_players_v2 (wallet text_pattern_ops);
create index if not exists explorer_players_v2_public_id
  on explorer_players_v2 (public_id text_pattern_ops);
create index if not exists explorer_players_v2_nickname
  on explorer_players_v2 (lower(nickname) text_pattern_ops) where nickname is not null;
