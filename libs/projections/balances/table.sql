create table if not exists balances_v1 (
  wallet text primary key,
  points numeric not null,
  token numeric not null,
  version bigint not null,
  position bigint not null
);
create index if not exists balances_v1_points on balances_v1 (points desc);
