import type { Balances } from '@reelbook/contract/common';
import { loadState, readStream } from '@reelbook/event-store/read-stream';
import { Refused } from '@reelbook/http/refused';
import { assert } from '@reelbook/ledger/assert';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { isRegistered, type PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import type pg from 'pg';
import { balancesAnswer } from '../answers/player.ts';
import type { Gateway } from '../context.ts';

type Reader = Pick<Gateway, 'pool'>;

/** A player as the book has them now: state, version and the position of the last event in it. */
export async function readPlayer(
  { pool }: { readonly pool: pg.Pool },
  wallet: string,
): Promise<{ state: PlayerState; version: number; position: number }> {
  const stream = playerStream(wallet);
  const { state, version } = await loadState(pool, playerDecider, stream);
  if (!isRegistered(state)) throw new Refused({ rejected: 'not-registered', detail: {} });
  const [last] = await readStream(pool, { stream, fromVersion: version, limit: 1 });
  assert(last, `${stream} has an event of its version ${version}`);
  return { state, version, position: last.position };
}

export async function readBalances(reader: Reader, wallet: string): Promise<Balances> {
  const player = await readPlayer(reader, wallet);
  return balancesAnswer(player.state, player);
}
