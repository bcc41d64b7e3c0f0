do $$
begin
  assert to_regclass('samples') is null, 'the samples are gone';
end
$$;
