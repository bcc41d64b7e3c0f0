create table if not exists seeds_v1 (
  wallet text not null,
  pair bigint not null,
  server_seed_hash text not null unique,
  server_seed text not null,
  client_seed text not null,
  nonces bigint not null,
  position bigint not null,
  revealed_at timestamptz not null,
  primary key (wallet, pair)
);
