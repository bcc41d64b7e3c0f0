-- One row per withdrawal with its current state: what the cashier works on and operators see.
create table if not exists withdrawals_v1 (
  withdrawal text primary key,
  wallet text not null,
  to_address text not null,
  net numeric not null,
  fee numeric not null,
  status text not null,
  approved_by text[] not null,
  -- When the cashier approved it automatically: what its velocity limits count.
  automatic_at timestamptz,
  attempts int not null,
  -- Of the last attempt.
  signature text,
  transaction text,
  last_valid_block_height bigint,
  signed_slot bigint,
  -- Why it was denied, or why its last attempt failed.
  reason text,
  requested_at timestamptz not null,
  updated_at timestamptz not null,
  -- Of its last event.
  position bigint not null
);
create index if not exists withdrawals_v1_open on withdrawals_v1 (requested_at, withdrawal)
  where status in ('requested', 'approved', 'signed');
create index if not exists withdrawals_v1_automatic on withdrawals_v1 (automatic_at)
  where automatic_at is not null;
create index if not exists withdrawals_v1_signatures on withdrawals_v1 (signature)
  where signature is not null;
create index if not exists withdrawals_v1_by_time on withdrawals_v1 (requested_at, withdrawal);
create index if not exists withdrawals_v1_by_wallet on withdrawals_v1 (wallet, requested_at);
