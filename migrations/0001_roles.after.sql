do $$
begin
  assert (select count(*) = 2 from pg_roles where rolname in ('reelbook_app', 'reelbook_projector')),
    'both roles exist';
  assert not (select bool_or(rolsuper or rolcanlogin) from pg_roles
    where rolname in ('reelbook_app', 'reelbook_projector')), 'neither may log in or rule';
  assert not has_schema_privilege('reelbook_app', 'public', 'create'), 'the app creates nothing';
end $$;
