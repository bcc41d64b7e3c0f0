-- Why a withdrawal waits is a code and its figures, so that it can be said in any language. Nothing is lost: the cashier
-- says it anew with its next round.
delete from withdrawal_holds;
alter table withdrawal_holds
  drop column reason,
  add column code text not null,
  add column facts jsonb not null;
