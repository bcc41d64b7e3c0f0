-- Open rounds: few, regardless of the size of the ledger.
create table if not exists open_rounds_v1 (
  round text primary key,
  wallet text not null,
  game text not null,
  position bigint not null,
  due_at timestamptz not null
);
create index if not exists open_rounds_v1_by_due on open_rounds_v1 (due_at);
