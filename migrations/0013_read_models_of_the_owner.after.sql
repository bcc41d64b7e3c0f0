do $$
begin
  assert not has_schema_privilege('reelbook_projector', 'projections', 'create'),
    'the projector creates nothing that readers run';
  assert not has_schema_privilege('reelbook_projector', 'projections_rebuilt', 'create');
  assert not has_schema_privilege('reelbook_projector', 'public', 'create');
  assert not has_database_privilege('reelbook_projector', current_database(), 'create');
  assert not exists (select from pg_class where relowner = 'reelbook_projector'::regrole
    and relpersistence <> 't'), 'the projector owns nothing';
end
$$;
