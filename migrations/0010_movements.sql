-- A movement is a place to look on the chain; what is credited is read from there. So a transaction that cannot be read yet,
-- or that too few nodes report, waits here and is looked up again.
alter table treasury_movements
  add column attempts int not null default 0,
  add column due_at timestamptz not null default now(),
  drop constraint treasury_movements_delta_check,
  drop constraint treasury_movements_kind_check,
  drop constraint treasury_movements_check,
  drop constraint treasury_movements_check1,
  -- `unread`: listed, and in a form that no node returned; its amount is unknown.
  add check (kind in ('deposit', 'unmatched', 'withdrawal', 'other', 'unread')),
  add check ((kind in ('deposit', 'unmatched')) = (delta > 0)),
  add check ((kind = 'unread') = (delta = 0)),
  add check (kind <> 'unread' or not recorded),
  add check (kind <> 'deposit' or sender is not null);

drop index treasury_movements_unrecorded;
create index treasury_movements_due on treasury_movements (due_at) where not recorded;

-- Deposits credited on the report of one RPC provider alone: their sums of a day are bounded.
create index events_one_provider on events (recorded_at)
  where type = 'DepositCredited' and body->'data'->>'providers' = '1';
