-- `n` numbers a player's movements from 1 without gaps: the highest is their count, and any page is a range of it.
create table if not exists transactions_v3 (
  wallet text not null,
  n bigint not null,
  position bigint not null,
  type text not null,
  asset text not null,
  amount numeric not null,
  balance_after numeric not null,
  game text,
  round text,
  status text not null,
  withdrawal text,
  signature text,
  created_at timestamptz not null,
  primary key (wallet, n)
);
-- A withdrawal goes on after it was asked for: its row is found by it.
create index if not exists transactions_v3_withdrawals on transactions_v3 (withdrawal)
  where withdrawal is not null;
