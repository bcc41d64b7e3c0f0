-- Working data of the cashier. The ledger is authoritative; all of this can be rebuilt by reading the chain.

-- Transactions that players report. A player may report any transaction; a report only shows that player its result.
-- Deposits are credited from the scan of the chain.
create table deposit_reports (
  wallet text not null,
  signature text not null,
  -- As reported by the player, in minor units; what arrived is credited.
  amount bigint not null check (amount > 0),
  status text not null default 'pending' check (status in ('pending', 'completed', 'failed', 'review')),
  reason text,
  reported_at timestamptz not null default now(),
  -- The next time to look for it.
  due_at timestamptz not null default now(),
  attempts int not null default 0,
  primary key (wallet, signature)
);
create index deposit_reports_due on deposit_reports (due_at) where status = 'pending';

-- Where the scan of the treasury's token account began, and how far it has come.
create table treasury_scans (
  token_account text primary key,
  -- What the account held at the end of that slot: later transactions count from there.
  opening_balance numeric not null check (opening_balance >= 0),
  opening_slot bigint not null,
  -- The last signature that was gone through; null: none after the opening.
  cursor text,
  -- Every signature up to this slot was gone through.
  reached_slot bigint not null
);

-- Every finalized transaction that moved the treasury's tokens after the opening.
create table treasury_movements (
  token_account text not null references treasury_scans,
  signature text not null,
  slot bigint not null,
  delta numeric not null check (delta <> 0),
  -- What it is, decided once. `other`: it left, and was no withdrawal.
  kind text not null check (kind in ('deposit', 'unmatched', 'withdrawal', 'other')),
  sender text,
  reason text,
  -- Whether what it calls for is in the ledger.
  recorded boolean not null,
  seen_at timestamptz not null default now(),
  primary key (token_account, signature),
  check ((kind in ('deposit', 'unmatched')) = (delta > 0)),
  check (kind <> 'deposit' or sender is not null)
);
create index treasury_movements_unrecorded on treasury_movements (slot) where not recorded;
create index treasury_movements_unmatched on treasury_movements (seen_at) where kind = 'unmatched';

-- Why a withdrawal waits, as a code and its figures, so that it can be shown in any language. No row: it does not wait.
create table withdrawal_wait_reasons (
  withdrawal text primary key,
  code text not null,
  details jsonb not null,
  since timestamptz not null default now()
);

grant select, insert, update, delete on deposit_reports, treasury_scans, treasury_movements,
  withdrawal_wait_reasons to reelbook_app;
