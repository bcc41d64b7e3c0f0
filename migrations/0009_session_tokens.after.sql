do $$
begin
  assert has_table_privilege('reelbook_app', 'sessions', 'select,insert,update,delete'),
    'the app keeps sessions of players';
  assert not has_table_privilege('reelbook_projector', 'sessions', 'select'), 'readers see none';
  assert to_regclass('operator_sessions') is null, 'the ledger alone has sessions of operators';
end $$;
