do $$
begin
  assert (select count(*) = 1 from head), 'there is one head';
  assert (select position = 0 and length(hash) = 32 from head), 'it starts at genesis';
  assert not has_table_privilege('reelbook_app', 'events', 'insert,update,delete,truncate'),
    'the app cannot write events';
  assert not has_table_privilege('reelbook_app', 'streams', 'insert,update,delete,truncate'),
    'the app cannot write streams';
  assert not has_table_privilege('reelbook_app', 'claims', 'insert,update,delete,truncate'),
    'the app cannot write claims';
  assert not has_table_privilege('reelbook_app', 'head', 'insert,update,delete,truncate'),
    'the app cannot write the head';
end $$;
