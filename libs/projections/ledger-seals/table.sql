create table if not exists ledger_seals_v1 (
  seal bigint primary key,
  from_position bigint not null,
  to_position bigint not null unique,
  root text not null,
  chain_hash text not null,
  position bigint not null,
  sealed_at timestamptz not null
);
