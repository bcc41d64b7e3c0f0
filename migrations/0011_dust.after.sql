do $$
begin
  assert (select count(*) = 1 from pg_indexes where tablename = 'events' and indexname = 'events_dust'),
    'the transfers of dust have an index';
end $$;
