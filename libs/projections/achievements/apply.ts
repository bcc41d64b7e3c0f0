import type pg from 'pg';
import { changeRows } from '../statement.ts';
import { ACHIEVEMENTS, type Progress } from './achievements.ts';
import type { CountedRound } from './fold.ts';

export async function apply(client: pg.ClientBase, rounds: readonly CountedRound[]): Promise<void> {
  await changeRows(client, { name: 'apply-achievements', text: COUNT }, rounds);
}

const COLUMNS: Readonly<Record<keyof Progress, string>> = {
  games: 'games',
  wins: 'wins',
  slotGames: 'slot_games',
  wonMinor: 'won',
  highestStakeMinor: 'highest_stake',
};
const THRESHOLDS = ACHIEVEMENTS.map(
  ({ name, counts, from }) => `('${name}', run.${COLUMNS[counts]} >= ${from})`,
).join(', ');

/** Every figure after every round of the batch; achievements that a player has are not changed. */
const COUNT = `
  with run as (
    select new.wallet, position, at,
      coalesce(old.games, 0) + count(*) over so_far as games,
      coalesce(old.wins, 0) + count(*) filter (where "wonMinor" > 0) over so_far as wins,
      coalesce(old.slot_games, 0) + count(*) filter (where "isSlot") over so_far as slot_games,
      coalesce(old.won, 0) + sum("wonMinor") over so_far as won,
      greatest(coalesce(old.highest_stake, 0), max("stakeMinor") over so_far) as highest_stake
    from json_to_recordset($1) as new(wallet text, position bigint, at timestamptz,
      "isSlot" boolean, "stakeMinor" numeric, "wonMinor" numeric)
    left join achievements_progress_v1 as old on old.wallet = new.wallet
    window so_far as (partition by new.wallet order by position rows unbounded preceding)
  ), earned as (
    insert into achievements_v1 (wallet, name, position, earned_at)
    select distinct on (wallet, name) wallet, name, position, at
    from run cross join lateral (values ${THRESHOLDS}) as one(name, reached)
    where reached order by wallet, name, position
    on conflict (wallet, name) do nothing
  )
  insert into achievements_progress_v1 (wallet, games, wins, slot_games, won, highest_stake)
  select distinct on (wallet) wallet, games, wins, slot_games, won, highest_stake
  from run order by wallet, position desc
  on conflict (wallet) do update set games = excluded.games, wins = excluded.wins,
    slot_games = excluded.slot_games, won = excluded.won, highest_stake = excluded.highest_stake`;
