-- Rates and lag over time are metrics; the console draws no charts of them.
drop table samples;
