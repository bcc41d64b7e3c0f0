import { anyOf, rowOf, rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import { sql } from 'kysely';
import type { Db } from '../projection.ts';

const PLAYERS_LIMIT_MAX = 200;

/** A player with the current nickname. */
export interface PlayerNamed {
  readonly wallet: string;
  readonly publicId: string;
  readonly nickname: string | null;
}

const PLAYERS = tables
  .selectFrom('projections.entries_players_v1')
  .select(['wallet', 'public_id as publicId', 'nickname']);

/**
 * Players whose wallet, public id or nickname has this prefix (nicknames regardless of case), by wallet; all of them for
 * an empty text. `after` is the last wallet of the previous page.
 */
export async function searchPlayers(
  db: Db,
  options: {
    readonly beginning?: string | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<readonly PlayerNamed[]> {
  assert(options.limit >= 1 && options.limit <= PLAYERS_LIMIT_MAX, 'a limit');
  const { beginning = '', after = '', limit } = options;
  if (beginning === '') {
    const all = PLAYERS.where('wallet', '>', after).orderBy('wallet').limit(limit);
    return rowsOf(db, all, 'list-players');
  }
  const lower = likeOf(beginning.toLowerCase());
  // Each name by its own index.
  const named = PLAYERS.where('wallet', 'like', likeOf(beginning))
    .union(PLAYERS.where('public_id', 'like', likeOf(beginning)))
    .union(PLAYERS.where(sql<string>`lower(nickname)`, 'like', lower));
  const found = tables.selectFrom(named.as('found')).selectAll();
  return rowsOf(db, found.where('wallet', '>', after).orderBy('wallet').limit(limit));
}

/** Those of the wallets that are players. */
export async function readPlayersNamed(
  db: Db,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, PlayerNamed>> {
  const named = PLAYERS.where('wallet', '=', anyOf('text', [...new Set(wallets)]));
  const rows = await rowsOf(db, named, 'read-players-named');
  return new Map(rows.map((row) => [row.wallet, row]));
}

/** A player's number in the entries; null if there is no such player. */
export async function readPlayerNumber(
  db: Db,
  of: { readonly wallet: string } | { readonly publicId: string },
): Promise<number | null> {
  const [column, value] =
    'wallet' in of ? (['wallet', of.wallet] as const) : (['public_id', of.publicId] as const);
  const number = tables
    .selectFrom('projections.entries_players_v1')
    .select('player')
    .where(column, '=', value);
  return (await rowOf(db, number, `read-player-by-${column}`))?.player ?? null;
}

function likeOf(beginning: string): string {
  return `${beginning.replace(/[\\%_]/g, '\\$&')}%`;
}
