do $$
begin
  assert (select count(*) = 2 from pg_indexes where indexname in
    ('deposit_reports_signature_end', 'treasury_movements_signature_end')),
    'reports and movements are found by the end of a signature';
end $$;
