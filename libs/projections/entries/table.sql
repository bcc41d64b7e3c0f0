-- An index of the ledger: one narrow row per event with its search keys and the figures to add up. Everything that is only
-- displayed is read from the event itself.

-- Players by number, in the order of their registrations.
create table if not exists entries_players_v1 (
  player int primary key,
  wallet text not null unique,
  public_id text not null unique,
  nickname text
);
create index if not exists entries_players_v1_wallet
  on entries_players_v1 (wallet text_pattern_ops);
create index if not exists entries_players_v1_public_id
  on entries_players_v1 (public_id text_pattern_ops);
create index if not exists entries_players_v1_nickname
  on entries_players_v1 (lower(nickname) text_pattern_ops) where nickname is not null;

-- Games, rules and actors by number, each in the order in which they first appear.
create table if not exists entries_names_v1 (
  part text not null,
  name text not null,
  id int not null,
  -- End of the block of the last event that has the name: a search for a name stops there.
  last bigint not null,
  primary key (part, name)
);

-- Accounts other than players', and `players`, all players' accounts together: the balance of each after the last event of
-- a block of 1,000 positions that moved it.
create table if not exists entries_balances_v1 (
  line text not null,
  asset text not null,
  block bigint not null,
  position bigint not null,
  after numeric not null,
  primary key (line, asset, block)
);

-- A player's sums by type of event, per block of 1,000 movements (`n / 1000`), once the block is complete.
create table if not exists entries_sums_v1 (
  player int not null,
  block int not null,
  type smallint not null,
  -- Position of the last of them.
  last bigint not null,
  events int not null,
  points numeric not null,
  token numeric not null,
  primary key (player, block, type)
);

create table if not exists entries_v1 (
  position bigint primary key,
  -- What the event gave the stream's player, signed; null: nothing of that asset moved. No event moves more than 10^18.
  points bigint,
  token bigint,
  -- Of a timed round: the position of its settlement, 0 while it is open. Other rounds are settled by their own command.
  settled bigint,
  -- Null outside the streams of players.
  player int,
  -- Movements of the player's money up to here; an exchange is two.
  n int,
  -- The number in the round's id: it counts all rounds of the player.
  round int,
  -- Of a stake: the number of the player's rounds of this game up to here.
  game_round int,
  -- The first 4 bytes of a hash of the text, and of the event's own hash: a search by them compares the event as well.
  correlation int not null,
  hash int not null,
  -- Null if the player of the stream acted.
  actor int,
  -- See type-numbers.ts.
  type smallint not null,
  game smallint,
  rules smallint,
  withdrawal text,
  -- Of a transaction on the chain.
  signature text
);
-- Unique indexes stay during a rebuild: rows are found by them while the tables are filled.
create unique index if not exists entries_v1_player on entries_v1 (player, position)
  where player is not null;
create unique index if not exists entries_v1_rounds on entries_v1 (player, game, game_round)
  where game_round is not null;
create unique index if not exists entries_v1_open on entries_v1 (player, round)
  where settled = 0;

-- Small indexes, of the few events that are not of a bet.
create index if not exists entries_v1_acts on entries_v1 (player, type, position) where type > 3;
create index if not exists entries_v1_type on entries_v1 (type, position) where type > 3;
create index if not exists entries_v1_kind on entries_v1 ((type / 100), position)
  where type >= 100;
create index if not exists entries_v1_token on entries_v1 (position) where token is not null;
create index if not exists entries_v1_token_of on entries_v1 (player, position)
  where token is not null;
create index if not exists entries_v1_token_amount on entries_v1 (token)
  where token is not null;
create index if not exists entries_v1_actor on entries_v1 (actor, position)
  where actor is not null;
create index if not exists entries_v1_signature on entries_v1 (signature)
  where signature is not null;
create index if not exists entries_v1_withdrawal on entries_v1 (withdrawal, position)
  where withdrawal is not null;

-- Columns of few values, which the index stores once, with 6 bytes per row; so without the position.
create index if not exists entries_v1_points on entries_v1 (points) where points is not null;
create index if not exists entries_v1_game on entries_v1 (game) where game is not null;
create index if not exists entries_v1_rules on entries_v1 (rules) where rules is not null;

-- Of every event and all different, so it must cost next to nothing: a summary per range of pages, created once the range is
-- full. The position is in it because Postgres takes the order of the table from it: otherwise it would expect to read the
-- entire table.
create index if not exists entries_v1_hashes on entries_v1 using brin (position int8_minmax_ops,
    correlation int4_bloom_ops (n_distinct_per_range = 1200),
    hash int4_bloom_ops (n_distinct_per_range = 2000))
  with (pages_per_range = 20, autosummarize = on);
