-- Rounds that were begun and are not over: few, whatever the size of the book.
create table if not exists open_rounds_v1 (
  round text primary key,
  wallet text not null,
  game text not null,
  position bigint not null,
  due_at timestamptz not null
);
create index if not exists open_rounds_v1_by_due on open_rounds_v1 (due_at);
