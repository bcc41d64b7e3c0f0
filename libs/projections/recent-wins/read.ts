import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';

const RECENT_WINS_LIMIT_MAX = 100;

export interface RecentWin {
  readonly position: number;
  readonly round: string;
  readonly game: string;
  readonly publicId: string;
  /** The player's nickname of today, not of then. */
  readonly nickname: string | null;
  readonly stakeMinor: bigint;
  readonly payoutMinor: bigint;
  readonly createdAt: string;
}

interface Row {
  position: number;
  round: string;
  game: string;
  public_id: string;
  nickname: string | null;
  stake: string;
  payout: string;
  created_at: string;
}

/** The latest wins that were big when they happened, newest first. */
export async function readRecentWins(db: Db, o: { readonly limit: number }): Promise<RecentWin[]> {
  assert(o.limit >= 1 && o.limit <= RECENT_WINS_LIMIT_MAX, 'a limit');
  const { rows } = await db.query<Row>({
    name: 'read-recent-wins',
    text: `select win.position, round, game, public_id, nickname, stake, payout, created_at
      from projections.recent_wins_v1 as win
      join projections.recent_wins_players_v1 as player on player.wallet = win.wallet
      order by win.position desc limit $1`,
    values: [o.limit],
  });
  return rows.map((row) => ({
    position: row.position,
    round: row.round,
    game: row.game,
    publicId: row.public_id,
    nickname: row.nickname,
    stakeMinor: BigInt(row.stake),
    payoutMinor: BigInt(row.payout),
    createdAt: row.created_at,
  }));
}
