do $$
begin
  assert (select count(*) = 3 from pg_indexes where indexname in
    ('deposit_reports_signature', 'deposit_reports_open', 'treasury_movements_signature')),
    'reports and movements are found by the start of a signature';
end $$;
