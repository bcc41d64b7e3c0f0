-- Ties rank by public id, so that the order is the same for everyone and after every replay.
create table if not exists leaderboards_v1 (
  wallet text primary key,
  public_id text not null,
  nickname text,
  earnings numeric not null,
  wins bigint not null,
  points numeric not null
) with (fillfactor = 70);
create index if not exists leaderboards_v1_earnings on leaderboards_v1 (earnings desc, public_id);
create index if not exists leaderboards_v1_wins on leaderboards_v1 (wins desc, public_id);
create index if not exists leaderboards_v1_points on leaderboards_v1 (points desc, public_id);
