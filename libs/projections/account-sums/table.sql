-- Cumulative sums of each account by kind of movement, at the end of each block of 1,000 positions in which that kind moved
-- it. Of a player's account only the kinds that both credit and debit it: sums by type alone are in the entries.
create table if not exists account_sums_v1 (
  -- As in postings, and `fees-earned`: the fees of paid withdrawals, which are final.
  account text not null,
  asset text not null,
  type text not null,
  -- Empty for an event without a game.
  game text not null,
  credit boolean not null,
  block bigint not null,
  events bigint not null,
  minor numeric not null,
  primary key (account, asset, type, game, credit, block)
);
