-- One row an event: what an operator finds events by. Amounts are what the event gave the stream's player, signed.
-- `actor` is null where the player of the stream acted. bigint amounts: no event moves more than 10^18.
create table if not exists explorer_v3 (
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
  hash_prefix bigint not null,
  -- Without their signs, as columns: Postgres keeps no statistics of what only a partial index computes.
  points_abs bigint generated always as (abs(points)) stored,
  token_abs bigint generated always as (abs(token)) stored
);
create index if not exists explorer_v3_wallet on explorer_v3 (wallet, position)
  where wallet is not null;
-- The three of every bet are found by walking back from the newest.
create index if not exists explorer_v3_type on explorer_v3 (type, position)
  where type not in ('BetPlaced', 'BetWon', 'BetLost');
create index if not exists explorer_v3_kind on explorer_v3 (kind, position)
  where kind <> 'player';
-- What a player does beside betting: the last login, the deposit before.
create index if not exists explorer_v3_acts on explorer_v3 (wallet, type, position)
  where wallet is not null and type not in ('BetPlaced', 'BetWon', 'BetLost');
create index if not exists explorer_v3_game on explorer_v3 (game, position) where game is not null;
create index if not exists explorer_v3_rules on explorer_v3 (rules, position)
  where rules is not null;
create index if not exists explorer_v3_actor on explorer_v3 (actor, position)
  where actor is not null;
create index if not exists explorer_v3_points on explorer_v3 (points_abs, position)
  where points is not null;
create index if not exists explorer_v3_token on explorer_v3 (token_abs, position)
  where token is not null;
-- Few rows each, so their order costs nothing. A round has two or three: a hash is the smallest.
create index if not exists explorer_v3_round on explorer_v3 using hash (round)
  where round is not null;
create index if not exists explorer_v3_correlation on explorer_v3 (correlation);
create index if not exists explorer_v3_signature on explorer_v3 (signature)
  where signature is not null;
create index if not exists explorer_v3_withdrawal on explorer_v3 (withdrawal)
  where withdrawal is not null;
create index if not exists explorer_v3_hash on explorer_v3 using hash (hash_prefix);

create table if not exists explorer_players_v3 (
  wallet text primary key,
  public_id text not null unique,
  nickname text
);
create index if not exists explorer_players_v3_wallet
  on explorer_players_v3 (wallet text_pattern_ops);
create index if not exists explorer_players_v3_public_id
  on explorer_players_v3 (public_id text_pattern_ops);
create index if not exists explorer_players_v3_nickname
  on explorer_players_v3 (lower(nickname) text_pattern_ops) where nickname is not null;
