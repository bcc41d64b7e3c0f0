import { rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { applyNames, foldNames, type PlayerNames } from '../players.ts';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
create table if not exists recent_wins_players_v2 (
  wallet text primary key,
  public_id text not null,
  nickname text
);
create table if not exists recent_wins_v2 (
  position bigint primary key,
  wallet text not null,
  game text not null,
  round text not null,
  stake numeric not null,
  payout numeric not null,
  created_at timestamptz not null
);
`;

export const recentWins: Projection<RecentWinsChanges> = {
  name: 'recent-wins',
  version: 2,
  tables: [
    { name: 'recent_wins_players_v2', key: ['wallet'] },
    { name: 'recent_wins_v2', key: ['position'] },
  ],
  tableSql: TABLES,
  fold,
  apply,
};

export interface Win {
  readonly position: number;
  readonly wallet: string;
  readonly game: string;
  readonly round: string;
  readonly stakeMinor: bigint;
  readonly payoutMinor: bigint;
  readonly createdAt: string;
}

export interface RecentWinsChanges {
  readonly names: readonly PlayerNames[];
  /** The wins that were big when they happened: their players were notified. */
  readonly wins: readonly Win[];
}

export function fold(events: readonly RecordedEvent[]): RecentWinsChanges {
  const wins: Win[] = [];
  for (const { event, stream, position, time } of events) {
    if (event.type !== 'BetWon' || !event.data.notice) continue;
    const { game, round, stakeMinor, payoutMinor } = event.data;
    const wallet = parseStream(stream).id;
    wins.push({ position, wallet, game, round, stakeMinor, payoutMinor, createdAt: time });
  }
  return { names: foldNames(events), wins };
}

async function apply(client: pg.ClientBase, changes: RecentWinsChanges): Promise<void> {
  await applyNames(client, 'recent_wins_players_v2', changes.names);
  await changeRows(client, { name: 'apply-recent-wins', text: WINS }, changes.wins);
}

const WINS = `
  insert into recent_wins_v2 (position, wallet, game, round, stake, payout, created_at)
  select position, wallet, game, round, "stakeMinor", "payoutMinor", "createdAt"
  from json_to_recordset($1) as win(position bigint, wallet text, game text, round text,
    "stakeMinor" numeric, "payoutMinor" numeric, "createdAt" timestamptz)`;

const RECENT_WINS_LIMIT_MAX = 100;

/** The latest wins that were big when they happened, newest first. */
export async function readRecentWins(db: Db, options: { readonly limit: number }) {
  assert(options.limit >= 1 && options.limit <= RECENT_WINS_LIMIT_MAX, 'a limit');
  const wins = tables
    .selectFrom('projections.recent_wins_v2 as win')
    .innerJoin('projections.recent_wins_players_v2 as player', 'player.wallet', 'win.wallet')
    .select(['win.position', 'round', 'game', 'public_id as publicId', 'nickname'])
    .select(['stake', 'payout', 'created_at as createdAt'])
    .orderBy('win.position', 'desc')
    .limit(options.limit);
  const rows = await rowsOf(db, wins, 'read-recent-wins');
  return rows.map(({ stake, payout, ...win }) => ({
    ...win,
    stakeMinor: BigInt(stake),
    payoutMinor: BigInt(payout),
  }));
}
