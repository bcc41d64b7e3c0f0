do $$
begin
  assert (select count(*) = 2 from pg_roles where rolname in ('reelbook_app', 'reelbook_projector')),
    'both roles exist';
  assert not (select bool_or(rolsuper or rolcanlogin) from pg_roles
    where rolname in ('reelbook_app', 'reelbook_projector')), 'neither may log in or rule';
  assert not has_schema_privilege('reelbook_app', 'public', 'create'), 'the app creates nothing';
  assert has_table_privilege('reelbook_app', 'migrations', 'select'), 'the app sees the schema';
  assert has_table_privilege('reelbook_projector', 'migrations', 'select'), 'the projector as well';
  assert not has_table_privilege('reelbook_app', 'migrations', 'insert,update,delete,truncate'),
    'and neither changes it';
end $$;
