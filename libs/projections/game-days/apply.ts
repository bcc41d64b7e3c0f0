import type pg from 'pg';
import { changeRows } from '../statement.ts';
import type { GameDaysChanges } from './fold.ts';

export async function apply(client: pg.ClientBase, changes: GameDaysChanges): Promise<void> {
  await changeRows(client, { name: 'apply-game-days-ended', text: ENDED }, changes.ended);
  await changeRows(client, { name: 'apply-game-days-sums', text: SUMS }, changes.sums);
  await changeRows(client, { name: 'apply-game-days-begun', text: BEGUN }, changes.begun);
}

const ADD = `
  on conflict (day, game, rules, choice, stake) do update set rounds = old.rounds + excluded.rounds,
    paid = old.paid + excluded.paid, voided = old.voided + excluded.voided`;

/** Removes them from the open rounds and adds them to their days. */
const ENDED = `
  with ended as (
    delete from game_days_open_v2 as open
    using json_to_recordset($1) as ended(round text, day date, "paidMinor" numeric, voided boolean)
    where open.round = ended.round
    returning ended.day, open.game, open.rules, open.choice, open.stake, ended."paidMinor" as paid, ended.voided
  )
  insert into game_days_v2 as old (day, game, rules, choice, stake, rounds, paid, voided)
  select day, game, rules, choice, stake, count(*) filter (where not voided), sum(paid),
    count(*) filter (where voided)
  from ended group by day, game, rules, choice, stake
  ${ADD}`;

const SUMS = `
  insert into game_days_v2 as old (day, game, rules, choice, stake, rounds, paid, voided)
  select day, game, rules, choice, "stakeMinor", rounds, "paidMinor", voided
  from json_to_recordset($1) as new(day date, game text, rules text, choice text, "stakeMinor" numeric,
    rounds bigint, "paidMinor" numeric, voided bigint)
  ${ADD}`;

const BEGUN = `
  insert into game_days_open_v2 (round, game, rules, choice, stake)
  select round, game, rules, choice, "stakeMinor"
  from json_to_recordset($1) as new(round text, game text, rules text, choice text, "stakeMinor" numeric)`;
