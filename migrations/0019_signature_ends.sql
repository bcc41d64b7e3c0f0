-- The console also finds transactions by the end of their signatures, as an explorer abbreviates them.
create index deposit_reports_signature_end on deposit_reports (reverse(signature) text_pattern_ops);
create index treasury_movements_signature_end on treasury_movements (reverse(signature) text_pattern_ops);
