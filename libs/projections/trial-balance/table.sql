-- What every account holds now.
create table if not exists trial_balance_accounts_v2 (
  account text not null,
  asset text not null,
  balance numeric not null,
  primary key (account, asset)
);
-- The same by line (all players are one), now and as it was at every snapshot position.
create table if not exists trial_balance_lines_v2 (
  line text not null,
  asset text not null,
  balance numeric not null,
  primary key (line, asset)
);
create table if not exists trial_balance_snapshots_v2 (
  position bigint not null,
  line text not null,
  asset text not null,
  balance numeric not null,
  primary key (position, line, asset)
);
