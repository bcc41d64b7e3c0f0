do $$
declare
  place text;
begin
  assert (select count(*) = 0 from checkpoints), 'no follower has read anything yet';
  assert has_table_privilege('reelbook_projector', 'checkpoints', 'select,insert,update,delete'),
    'the projector keeps its checkpoints';
  assert has_table_privilege('reelbook_app', 'checkpoints', 'select,insert,update,delete'),
    'the publisher keeps its own';
  assert has_table_privilege('reelbook_projector', 'events', 'select'), 'the projector reads the ledger';
  assert not has_table_privilege('reelbook_projector', 'events', 'insert,update,delete,truncate'),
    'and does not write it';
  foreach place in array array['rebuilt', 'replaced', 'moving'] loop
    assert has_schema_privilege('reelbook_projector', 'projections_' || place, 'create'),
      'the projector rebuilds and switches';
    assert not has_schema_privilege('reelbook_app', 'projections_' || place, 'create'),
      'and no other role does';
  end loop;
  assert has_schema_privilege('reelbook_app', 'projections_rebuilt', 'usage'),
    'a rebuilt model may be compared by those who may read the live one';
end $$;
