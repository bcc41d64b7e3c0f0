do $$
begin
  assert has_function_privilege('reelbook_app', 'reserve_stream'::regproc, 'execute'), 'the app may reserve';
  assert not has_function_privilege('reelbook_projector', 'reserve_stream'::regproc, 'execute'), 'the projector may not';
  assert has_function_privilege('reelbook_app', 'append'::regproc, 'execute'), 'the app may append';
  assert pg_get_functiondef('append'::regproc) like '%reserved_for <> command_keys[i]%', 'append respects reservations';
end $$;
