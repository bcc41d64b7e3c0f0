do $$
begin
  assert has_table_privilege('reelbook_app', 'migrations', 'select'), 'the app sees the schema';
  assert has_table_privilege('reelbook_projector', 'migrations', 'select'), 'the projector as well';
  assert not has_table_privilege('reelbook_app', 'migrations', 'insert,update,delete,truncate'),
    'and neither changes it';
end $$;
