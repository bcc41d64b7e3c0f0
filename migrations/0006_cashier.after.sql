do $$
begin
  assert has_table_privilege('reelbook_app', 'deposit_reports', 'select,insert,update,delete'),
    'the app keeps reports';
  assert has_table_privilege('reelbook_app', 'treasury_movements', 'select,insert,update,delete'),
    'the app keeps movements';
  assert not has_table_privilege('reelbook_projector', 'treasury_movements', 'insert'),
    'the projector does not';
  assert (select count(*) = 0 from treasury_movements), 'nothing moved yet';
end $$;
