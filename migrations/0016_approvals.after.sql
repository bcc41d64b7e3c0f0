do $$
begin
  assert has_function_privilege('reelbook_app', 'append_approved'::regproc, 'execute'), 'the app may append';
  assert not has_function_privilege('reelbook_projector', 'append_approved'::regproc, 'execute'), 'the projector may not';
end $$;
