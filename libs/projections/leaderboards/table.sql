-- Ties rank by public id, so that the order is the same for everyone and after every replay.
create table if not exists leaderboards_v2 (
  wallet text primary key,
  public_id text not null,
  nickname text,
  earnings numeric not null,
  wins bigint not null
) with (fillfactor = 70);
create index if not exists leaderboards_v2_earnings on leaderboards_v2 (earnings desc, public_id);
create index if not exists leaderboards_v2_wins on leaderboards_v2 (wins desc, public_id);
