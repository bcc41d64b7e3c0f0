import { rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
-- Ties rank by public id, so that the order is the same for everyone and after every replay.
create table if not exists leaderboards_v2 (
  wallet text primary key,
  public_id text not null,
  nickname text,
  earnings numeric not null,
  wins bigint not null
) with (fillfactor = 70);
create index if not exists leaderboards_v2_earnings on leaderboards_v2 (earnings desc, public_id);
create index if not exists leaderboards_v2_wins on leaderboards_v2 (wins desc, public_id);
`;

export const leaderboards: Projection<readonly Standing[]> = {
  name: 'leaderboards',
  version: 2,
  tables: [{ name: 'leaderboards_v2', key: ['wallet'] }],
  tableSql: TABLES,
  fold,
  apply,
};

/** A player's changes in a batch; null: unchanged. */
export interface Standing {
  readonly wallet: string;
  readonly publicId: string | null;
  readonly nickname: string | null;
  /** Added by the batch. */
  readonly earningsMinor: bigint;
  readonly wins: number;
}

export function fold(events: readonly RecordedEvent[]): readonly Standing[] {
  const standings = new Map<string, Standing>();
  for (const { event, stream } of events) {
    const change = dataOf(event);
    if (!change) continue;
    const wallet = parseStream(stream).id;
    const before = standings.get(wallet) ?? { wallet, ...NOTHING };
    standings.set(wallet, {
      wallet,
      publicId: change.publicId ?? before.publicId,
      nickname: change.nickname ?? before.nickname,
      earningsMinor: before.earningsMinor + (change.earningsMinor ?? 0n),
      wins: before.wins + (change.wins ?? 0),
    });
  }
  return [...standings.values()];
}

const NOTHING = { publicId: null, nickname: null, earningsMinor: 0n, wins: 0 };

function dataOf(event: RecordedEvent['event']): Partial<Standing> | null {
  switch (event.type) {
    case 'PlayerRegistered':
      return { publicId: event.data.publicId };
    case 'NicknameChanged':
      return { nickname: event.data.nickname };
    case 'BetWon':
      return { earningsMinor: event.data.payoutMinor, wins: 1 };
    default:
      return null;
  }
}

async function apply(client: pg.ClientBase, standings: readonly Standing[]): Promise<void> {
  await changeRows(client, { name: 'apply-leaderboards', text: UPSERT }, standings);
}

const UPSERT = `
  insert into leaderboards_v2 (wallet, public_id, nickname, earnings, wins)
  select new.wallet, coalesce(new."publicId", old.public_id), coalesce(new.nickname, old.nickname),
    coalesce(old.earnings, 0) + new."earningsMinor", coalesce(old.wins, 0) + new.wins
  from json_to_recordset($1) as new(wallet text, "publicId" text, nickname text,
    "earningsMinor" numeric, wins bigint)
  left join leaderboards_v2 as old on old.wallet = new.wallet
  on conflict (wallet) do update set public_id = excluded.public_id, nickname = excluded.nickname,
    earnings = excluded.earnings, wins = excluded.wins`;

const LEADERBOARD_LIMIT_MAX = 100;

/** `earnings`: points won in all (hundredths); `wins`: rounds won (a count); `points`: the balance (hundredths). */
export type Board = 'earnings' | 'wins' | 'points';

/** The best of a board, best first. Players with 0 there are left out. */
export async function readLeaderboard(
  db: Db,
  options: { readonly board: Board; readonly limit: number },
) {
  assert(options.limit >= 1 && options.limit <= LEADERBOARD_LIMIT_MAX, 'a limit');
  const best = tables
    .selectFrom('projections.leaderboards_v2 as player')
    .innerJoin('projections.balances_v1 as held', 'held.wallet', 'player.wallet')
    .select(['public_id', 'nickname', 'earnings', 'wins', 'points'])
    .where(options.board, '>', sql.lit(0))
    .orderBy(options.board, 'desc')
    .orderBy('public_id')
    .limit(options.limit);
  const rows = await rowsOf(db, best, `read-leaderboard-${options.board}`);
  return rows.map((row, index) => ({
    rank: index + 1,
    publicId: row.public_id,
    nickname: row.nickname,
    earningsMinor: BigInt(row.earnings),
    wins: row.wins,
    pointsMinor: BigInt(row.points),
  }));
}
