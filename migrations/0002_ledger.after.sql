do $$
begin
  assert (select count(*) = 1 from ledger_head), 'there is one head';
  assert (select position = 0 and length(hash) = 32 from ledger_head), 'it starts at genesis';
  assert not has_table_privilege('reelbook_app', 'events', 'insert,update,delete,truncate'),
    'the app cannot write events';
  assert not has_table_privilege('reelbook_app', 'streams', 'insert,update,delete,truncate'),
    'the app cannot write streams';
  assert not has_table_privilege('reelbook_app', 'idempotency_keys', 'insert,update,delete,truncate'),
    'the app cannot write idempotency keys';
  assert not has_table_privilege('reelbook_app', 'ledger_head', 'insert,update,delete,truncate'),
    'the app cannot write the head';
  assert (select reloptions @> array['autovacuum_vacuum_insert_threshold=-1'] from pg_class
    where oid = 'events'::regclass), 'inserts do not make Postgres vacuum the events';
end $$;
