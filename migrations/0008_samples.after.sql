do $$
begin
  assert has_table_privilege('reelbook_app', 'samples', 'select,insert,delete'),
    'the console adds samples and removes old ones';
  assert not has_table_privilege('reelbook_app', 'samples', 'update'), 'and changes none';
  assert not has_table_privilege('reelbook_projector', 'samples', 'insert,update,delete'),
    'no other role writes them';
end $$;
