do $$
begin
  assert not exists (select from information_schema.columns
    where table_schema = 'public' and table_name = 'sessions' and column_name = 'device'),
    'sessions have no device';
end $$;
