-- The console finds transactions by the start of their signatures, and lists reports that are not completed by time.
create index deposit_reports_signature on deposit_reports (signature text_pattern_ops);
create index deposit_reports_open on deposit_reports (reported_at) where status <> 'completed';
create index treasury_movements_signature on treasury_movements (signature text_pattern_ops);
-- Replaced by entries_v1_signature_start, which the tables of the projection bring.
drop index if exists projections.entries_v1_signature, projections_rebuilt.entries_v1_signature;
