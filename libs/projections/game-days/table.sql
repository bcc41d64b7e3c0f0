-- What was played on a day (UTC, of the settlement), by game, rules, choice (JSON; empty without one) and stake: from
-- them follow the exact mean
-- and variance of what should have been paid. `rounds` and `paid` are without those that were voided.
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
-- Rounds that were begun and are not over: what ends them does not name their rules.
create table if not exists game_days_open_v2 (
  round text primary key,
  game text not null,
  rules text not null,
  choice text not null,
  stake numeric not null
);
