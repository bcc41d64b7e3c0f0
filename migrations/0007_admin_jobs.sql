-- Long work that operators start: audits, rebuilds, exports; also who let a read model go on. Not facts: what an act changes is in the ledger or in
-- checkpoints; this is where its progress and its result are looked at, from any process and after a page was reloaded.
create table admin_jobs (
  id bigint generated always as identity primary key,
  kind text not null check (kind in ('audit', 'rebuild', 'switch', 'back', 'discard', 'continue', 'export')),
  -- The read model it is about.
  subject text,
  -- `operator:<wallet>`.
  started_by text not null,
  reason text,
  state text not null default 'running'
    check (state in ('running', 'done', 'failed', 'cancelled', 'lost')),
  step text,
  done bigint not null default 0,
  total bigint not null default 0,
  per_second float8 not null default 0,
  result json,
  error text,
  -- The process that runs it reads this once a second.
  cancel_requested boolean not null default false,
  holder text not null,
  -- Renewed while the job runs; a job whose process died is lost when the lease expires.
  lease_until timestamptz not null,
  started_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  ended_at timestamptz,
  check ((state = 'running') = (ended_at is null))
);
-- One at a time, whichever process does it; an export only reads, and several may go on; to continue is no work.
create unique index admin_jobs_one on admin_jobs ((true))
  where state = 'running' and kind not in ('continue', 'export');
create index admin_jobs_running on admin_jobs (lease_until) where state = 'running';

grant select, insert, update on admin_jobs to reelbook_app;
