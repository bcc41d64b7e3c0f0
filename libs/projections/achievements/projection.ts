import { rowsOf, tables } from '@reelbook/event-store/query';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { settledBy } from '../players.ts';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
create table if not exists achievements_progress_v1 (
  wallet text primary key,
  games bigint not null,
  wins bigint not null,
  slot_games bigint not null,
  won numeric not null,
  highest_stake numeric not null
);
create table if not exists achievements_v1 (
  wallet text not null,
  name text not null,
  position bigint not null,
  earned_at timestamptz not null,
  primary key (wallet, name)
);
`;

export const achievements: Projection<readonly CountedRound[]> = {
  name: 'achievements',
  version: 1,
  tables: [
    { name: 'achievements_progress_v1', key: ['wallet'] },
    { name: 'achievements_v1', key: ['wallet', 'name'] },
  ],
  tableSql: TABLES,
  fold,
  apply,
};

/** Of every player, over all settled rounds unless stated otherwise. Amounts in hundredths of points. */
export interface Progress {
  readonly games: number;
  readonly wins: number;
  /** Rounds of the slot machine alone. */
  readonly slotGames: number;
  readonly wonMinor: bigint;
  readonly highestStakeMinor: bigint;
}

/** The achievements and the figures that earn them. A changed threshold needs a new version of the projection. */
export const ACHIEVEMENTS = [
  { name: 'first-win', counts: 'wins', from: 1n },
  { name: 'lucky-seven', counts: 'wins', from: 7n },
  { name: 'high-roller', counts: 'highestStakeMinor', from: 10_000n },
  { name: 'slot-master', counts: 'slotGames', from: 100n },
  { name: 'millionaire', counts: 'wonMinor', from: 100_000_000n },
  { name: 'veteran', counts: 'games', from: 1_000n },
] as const satisfies readonly {
  readonly name: string;
  readonly counts: keyof Progress;
  readonly from: bigint;
}[];

export type AchievementName = (typeof ACHIEVEMENTS)[number]['name'];

const SLOT_MACHINE = 'slot-machine';

/** The figures of one settled round. */
export interface CountedRound {
  readonly wallet: string;
  readonly position: number;
  readonly at: string;
  readonly isSlot: boolean;
  readonly stakeMinor: bigint;
  readonly wonMinor: bigint;
}

export function fold(events: readonly RecordedEvent[]): readonly CountedRound[] {
  return events.flatMap(({ event, stream, position, time }) => {
    const settled = settledBy(event);
    if (!settled) return [];
    const { game, stakeMinor } = settled.data;
    return {
      wallet: parseStream(stream).id,
      position,
      at: time,
      isSlot: game === SLOT_MACHINE,
      stakeMinor,
      wonMinor: settled.type === 'BetWon' ? settled.data.payoutMinor : 0n,
    };
  });
}

async function apply(client: pg.ClientBase, rounds: readonly CountedRound[]): Promise<void> {
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

export interface Achievement {
  readonly name: AchievementName;
  /** The current figure; the achievement is earned from `from` on. */
  readonly counts: keyof Progress;
  readonly reached: bigint;
  readonly from: bigint;
  /** The round that earned it; null until then. */
  readonly earned: { readonly position: number; readonly at: string } | null;
}

/** All achievements of a player, earned or not, in their order, at one point in time. */
export async function readAchievements(db: Db, wallet: string): Promise<readonly Achievement[]> {
  // One statement, so that progress and achievements are of one snapshot; a row per earned one, one row if there is none.
  const own = tables
    .selectFrom('projections.achievements_progress_v1 as progress')
    .leftJoin('projections.achievements_v1 as earned', 'earned.wallet', 'progress.wallet')
    .select(['progress.games', 'progress.wins', 'progress.slot_games as slotGames'])
    .select(['progress.won as wonMinor', 'progress.highest_stake as highestStakeMinor'])
    .select(['earned.name', 'earned.position', 'earned.earned_at as at'])
    .where('progress.wallet', '=', wallet);
  const rows = await rowsOf(db, own, 'read-achievements');
  return ACHIEVEMENTS.map(({ name, counts, from }) => {
    const { position, at } = rows.find((row) => row.name === name) ?? {};
    const earned = position && at ? { position, at } : null;
    return { name, counts, from, reached: BigInt(rows[0]?.[counts] ?? 0), earned };
  });
}
