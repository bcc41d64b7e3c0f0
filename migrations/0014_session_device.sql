-- No program reads or writes it.
alter table sessions drop column device;
