do $$
begin
  assert has_column_privilege('reelbook_app', 'withdrawal_holds', 'code', 'select,insert,update'),
    'the app says why a withdrawal waits';
  assert has_column_privilege('reelbook_app', 'withdrawal_holds', 'facts', 'select,insert,update'),
    'and with which figures';
  assert not has_column_privilege('reelbook_projector', 'withdrawal_holds', 'code', 'insert,update'),
    'the projector does not';
end $$;
