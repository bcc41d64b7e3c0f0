import { assert } from '@reelbook/ledger/assert';
import type { Db } from '../projection.ts';

const PLAYERS_LIMIT_MAX = 200;

/** A player under the nickname of now. */
export interface PlayerNamed {
  readonly wallet: string;
  readonly publicId: string;
  readonly nickname: string | null;
}

interface Row {
  wallet: string;
  public_id: string;
  nickname: string | null;
}

const COLUMNS = 'wallet, public_id, nickname';

/**
 * Players whose wallet, public id or nickname begins so (nicknames in any case of letters), by wallet; all of them for
 * no text. `after` is the last wallet of the page before.
 */
export async function searchPlayers(
  db: Db,
  o: {
    readonly beginning?: string | undefined;
    readonly after?: string | undefined;
    readonly limit: number;
  },
): Promise<readonly PlayerNamed[]> {
  assert(o.limit >= 1 && o.limit <= PLAYERS_LIMIT_MAX, 'a limit');
  const beginning = o.beginning ?? '';
  const { rows } = await db.query<Row>(
    beginning === ''
      ? {
          name: 'list-players',
          text: `select ${COLUMNS} from projections.entries_players_v1
            where wallet > $1 order by wallet limit $2`,
          values: [o.after ?? '', o.limit],
        }
      : {
          text: SEARCH,
          values: [likeOf(beginning), likeOf(beginning.toLowerCase()), o.after ?? '', o.limit],
        },
  );
  return rows.map(toPlayer);
}

/** Each name by an index of its own. */
const SEARCH = `
  select ${COLUMNS} from (
    select ${COLUMNS} from projections.entries_players_v1 where wallet like $1
    union select ${COLUMNS} from projections.entries_players_v1 where public_id like $1
    union select ${COLUMNS} from projections.entries_players_v1 where lower(nickname) like $2
  ) as found where wallet > $3 order by wallet limit $4`;

/** Those of the wallets that are players. */
export async function readPlayersNamed(
  db: Db,
  wallets: readonly string[],
): Promise<ReadonlyMap<string, PlayerNamed>> {
  const { rows } = await db.query<Row>({
    name: 'read-players-named',
    text: `select ${COLUMNS} from projections.entries_players_v1 where wallet = any($1::text[])`,
    values: [[...new Set(wallets)]],
  });
  return new Map(rows.map((row) => [row.wallet, toPlayer(row)]));
}

/** A player's number in the entries; null for who is no player. */
export async function readPlayerNumber(
  db: Db,
  of: { readonly wallet: string } | { readonly publicId: string },
): Promise<number | null> {
  const [column, value] = 'wallet' in of ? ['wallet', of.wallet] : ['public_id', of.publicId];
  const { rows } = await db.query<{ player: number }>({
    name: `read-player-by-${column}`,
    text: `select player from projections.entries_players_v1 where ${column} = $1`,
    values: [value],
  });
  return rows[0]?.player ?? null;
}

function likeOf(beginning: string): string {
  return `${beginning.replace(/[\\%_]/g, '\\$&')}%`;
}

function toPlayer({ public_id: publicId, ...row }: Row): PlayerNamed {
  return { ...row, publicId };
}
