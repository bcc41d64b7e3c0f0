do $$
begin
  assert has_table_privilege('reelbook_app', 'operator_sessions', 'select,insert,update,delete'),
    'the app keeps sessions of operators';
  assert not has_table_privilege('reelbook_projector', 'operator_sessions', 'select'),
    'readers see none';
end $$;
