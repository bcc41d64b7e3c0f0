do $$
begin
  assert has_function_privilege('reelbook_app',
    'append(uuid[],bytea[],uuid[],text[],bigint[],int[],bigint[],numeric[],boolean[],text[],int[],text[],text[],bigint)',
    'execute'), 'the app may append';
  assert not has_function_privilege('reelbook_projector',
    'append(uuid[],bytea[],uuid[],text[],bigint[],int[],bigint[],numeric[],boolean[],text[],int[],text[],text[],bigint)',
    'execute'), 'the projector may not';
end $$;
