-- Rounds of a day (UTC, of the settlement), by game, rules, choice (JSON; empty without one) and stake, from which the exact
-- mean and variance of the payout are computed. `rounds` and `paid` are without voided rounds.
create table if not exists game_days_v2 (
  day date not null,
  game text not null,
  rules text not null,
  choice text not null,
  stake numeric not null,
  rounds bigint not null,
  paid numeric not null,
  voided bigint not null,
  primary key (day, game, rules, choice, stake)
);
-- Open rounds: the events that end them do not contain their rules.
create table if not exists game_days_open_v2 (
  round text primary key,
  game text not null,
  rules text not null,
  choice text not null,
  stake numeric not null
);
