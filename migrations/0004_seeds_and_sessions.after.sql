do $$
begin
  assert has_table_privilege('reelbook_app', 'seeds', 'insert'), 'the app adds seeds';
  assert not has_table_privilege('reelbook_app', 'seeds', 'update,delete'), 'and never changes one';
  assert not has_table_privilege('reelbook_projector', 'seeds', 'select'), 'readers see no seeds';
end $$;
