do $$
begin
  assert (select count(*) = 0 from checkpoints), 'nobody has read anything yet';
  assert has_table_privilege('reelbook_projector', 'checkpoints', 'select,insert,update,delete'),
    'the projector keeps its checkpoints';
  assert has_table_privilege('reelbook_app', 'checkpoints', 'select,insert,update,delete'),
    'the publisher keeps its own';
  assert has_table_privilege('reelbook_projector', 'events', 'select'), 'the projector reads the book';
  assert not has_table_privilege('reelbook_projector', 'events', 'insert,update,delete,truncate'),
    'and does not write it';
end $$;
