do $$
begin
  assert has_table_privilege('reelbook_app', 'server_seeds', 'insert'), 'the app adds seeds';
  assert not has_table_privilege('reelbook_app', 'server_seeds', 'update,delete'), 'and never changes one';
  assert not has_table_privilege('reelbook_projector', 'server_seeds', 'select'), 'readers see no seeds';
  assert has_table_privilege('reelbook_app', 'operator_sessions', 'select,insert,update,delete'),
    'the app keeps sessions of operators';
  assert not has_table_privilege('reelbook_projector', 'operator_sessions', 'select'),
    'readers see none';
end $$;
