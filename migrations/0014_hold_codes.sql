-- Why a withdrawal waits is a code and its figures, so that it can be said in any language. `reason` stays for processes of
-- the build before, which may run until they are replaced; nobody else writes or reads it.
alter table withdrawal_holds
  alter column reason drop not null,
  add column code text,
  add column facts jsonb;
