-- `n` numbers a player's movements from 1 without gaps: the highest is their count, and any page is a range of it.
create table if not exists transactions_v2 (
  wallet text not null,
  n bigint not null,
  position bigint not null,
  type text not null,
  asset text not null,
  amount numeric not null,
  balance_after numeric not null,
  game text,
  round text,
  created_at timestamptz not null,
  primary key (wallet, n)
);
