import type { Balances } from '@reelbook/contract/common';
import type { User } from '@reelbook/contract/player/profile';
import { loadState, readStream } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/routes';
import { Bug } from '@reelbook/ledger/assert';
import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { isRegistered, type PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { readPlayerStats } from '@reelbook/projections/player-stats/projection';
import type pg from 'pg';
import { balancesAnswer, userAnswer } from '../answers/player.ts';
import type { Gateway } from '../context.ts';

type Reader = Pick<Gateway, 'pool'>;

/** Events read per step to find the last one that a player may see: usually the newest, then in larger steps. */
const LOOK = 1;
const LOOK_GROWS = 32;
const LOOK_MAX = 1_000;

/** The current state of a player, with version and the position of the last event that they may see. */
export async function readPlayer(
  { pool }: { readonly pool: pg.Pool },
  wallet: string,
): Promise<{ state: PlayerState; version: number; position: number }> {
  const stream = playerStream(wallet);
  const { state, version } = await loadState(pool, playerDecider, stream);
  if (!isRegistered(state)) throw new Refused({ rejected: 'not-registered', detail: {} });
  return { state, version, position: await readLastVisible(pool, { stream, version }) };
}

/** Its figures are those of the statistics of all games. */
export async function readUser({ pool }: Reader, state: PlayerState): Promise<User> {
  const stats = await readPlayerStats(pool, { wallet: state.wallet, game: null });
  return userAnswer(state, stats?.games ?? 0);
}

/** For a login, which works without the read model of the figures: then the level is 1. */
export const readUserOrNew = (reader: Reader, state: PlayerState): Promise<User> =>
  readUser(reader, state).catch(() => userAnswer(state, 0));

async function readLastVisible(
  pool: pg.Pool,
  { stream, version }: { readonly stream: string; readonly version: number },
): Promise<number> {
  let to = version;
  for (let look = LOOK; to > 0; look = Math.min(look * LOOK_GROWS, LOOK_MAX)) {
    const fromVersion = Math.max(1, to - look + 1);
    const limit = to - fromVersion + 1;
    const events = await readStream(pool, { stream, fromVersion, limit });
    const last = events.findLast(({ event }) => isVisibleToPlayer(event));
    if (last) return last.position;
    to = fromVersion - 1;
  }
  throw new Bug(`${stream} has no event that its player may see, up to version ${version}`);
}

export async function readBalances(reader: Reader, wallet: string): Promise<Balances> {
  const player = await readPlayer(reader, wallet);
  return balancesAnswer(player.state, player);
}
