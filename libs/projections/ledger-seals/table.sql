create table if not exists ledger_seals_v2 (
  seal bigint primary key,
  from_position bigint not null,
  to_position bigint not null unique,
  root text not null,
  chain_hash text not null,
  position bigint not null,
  sealed_at timestamptz not null
);
create table if not exists ledger_anchors_v2 (
  -- The newest seal that it covers.
  seal bigint primary key,
  from_seal bigint not null,
  seals_root text not null,
  wallet text not null,
  signature text not null,
  slot bigint not null,
  position bigint not null,
  anchored_at timestamptz not null
);
