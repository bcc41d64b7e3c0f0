-- `n` numbers a player's notifications from 1, in the order of their events; one that a later one replaced has no row. The
-- ledger has their contents.
create table if not exists notifications_v1 (
  wallet text not null,
  n bigint not null,
  position bigint not null,
  read boolean not null,
  primary key (wallet, n)
) with (fillfactor = 80);
create table if not exists notifications_players_v1 (
  wallet text primary key,
  total bigint not null,
  unread bigint not null
) with (fillfactor = 50);
