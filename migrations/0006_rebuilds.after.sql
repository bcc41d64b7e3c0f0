do $$
declare
  place text;
begin
  foreach place in array array['rebuilt', 'replaced', 'moving'] loop
    assert has_schema_privilege('reelbook_projector', 'projections_' || place, 'create'),
      'the projector rebuilds and switches';
    assert not has_schema_privilege('reelbook_app', 'projections_' || place, 'create'),
      'and nobody else does';
  end loop;
  assert has_schema_privilege('reelbook_app', 'projections_rebuilt', 'usage'),
    'a rebuilt model may be compared by those who may read the live one';
end $$;
