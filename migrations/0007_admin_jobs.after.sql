do $$
begin
  assert has_table_privilege('reelbook_app', 'admin_jobs', 'select,insert,update'),
    'the console keeps its jobs';
  assert not has_table_privilege('reelbook_app', 'admin_jobs', 'delete'), 'and forgets none';
  assert not has_table_privilege('reelbook_projector', 'admin_jobs', 'insert,update'),
    'no other role writes them';
end $$;
