do $$
begin
  assert (select count(*) = 2 from information_schema.columns
    where table_name = 'treasury_movements' and column_name in ('attempts', 'due_at')),
    'a movement has the time of its next look-up';
  assert has_table_privilege('reelbook_app', 'treasury_movements', 'select,insert,update,delete'),
    'the cashier keeps the movements';
end $$;
