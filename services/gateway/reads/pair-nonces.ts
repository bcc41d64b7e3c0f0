import { setTimeout } from 'node:timers/promises';
import type { NoncePage, PairNonce } from '@reelbook/contract/player/fairness';
import { Refused } from '@reelbook/http/refused';
import { assert } from '@reelbook/ledger/assert';
import { type Round, readRoundsById } from '@reelbook/projections/entries/rounds';
import { readPairsBefore } from '@reelbook/projections/seeds/projection';
import type { Gateway } from '../context.ts';
import { readPlayer } from './player.ts';
import { reasonOf, statusOf } from './receipts.ts';

/** How long a request waits for projections that lag behind a rotation; then it is refused with 503. */
const BEHIND_MAX_MS = 3_000;
const PAUSE_MS = 50;

interface PairQuery {
  readonly wallet: string;
  readonly pair: number;
  readonly page: number;
  readonly pageSize: number;
}

/**
 * The nonces of one seed pair of the player, from 0, each with its round. Every round uses one nonce, so round numbers
 * follow from the nonces of the earlier pairs. A gap fails the assertion in `nonceOf`.
 */
export async function readPairNonces(
  gateway: Pick<Gateway, 'pool'>,
  query: PairQuery,
): Promise<NoncePage> {
  const until = Date.now() + BEHIND_MAX_MS;
  for (;;) {
    const page = await readPage(gateway, query);
    if (page) return page;
    if (Date.now() >= until) throw new Refused({ failed: 'unavailable' });
    await setTimeout(PAUSE_MS);
  }
}

/** Null while a projection lags. */
async function readPage(
  { pool }: Pick<Gateway, 'pool'>,
  options: PairQuery,
): Promise<NoncePage | null> {
  const { state } = await readPlayer({ pool }, options.wallet);
  assert(state.seeds, 'a registered player has seeds');
  if (options.pair > state.seeds.pair) {
    throw new Refused({ failed: 'not-found', detail: { what: 'you have no such pair of seeds' } });
  }
  const before = await readPairsBefore(pool, { wallet: options.wallet, pair: options.pair });
  if (before.pairs !== options.pair - 1) return null;
  const active = options.pair === state.seeds.pair;
  const next = active ? state.rounds : await roundsUpTo(pool, options);
  if (next === null) return null;
  const total = next - before.nonces;
  const first = (options.page - 1) * options.pageSize;
  const count = Math.max(0, Math.min(options.pageSize, total - first));
  const ids = Array.from(
    { length: count },
    (_, i) => `${state.publicId}-${before.nonces + first + i + 1}`,
  );
  const rows = await readRoundsById(pool, ids);
  const rounds = ids.flatMap((id) => rows.get(id) ?? []);
  if (rounds.length < ids.length) return null;
  const items = rounds.map((round, i) => nonceOf(round, first + i));
  return { items, page: options.page, page_size: options.pageSize, total };
}

async function roundsUpTo(pool: Gateway['pool'], options: { wallet: string; pair: number }) {
  const { pairs, nonces } = await readPairsBefore(pool, {
    wallet: options.wallet,
    pair: options.pair + 1,
  });
  return pairs === options.pair ? nonces : null;
}

function nonceOf(round: Round, nonce: number): PairNonce {
  assert(round.nonce === nonce, `round ${round.round} was played with nonce ${nonce}`);
  const { settled } = round;
  return {
    nonce,
    round_id: round.round,
    game: round.game.replaceAll('-', '_'),
    status: statusOf(round),
    reason: reasonOf(round),
    bet_position: round.betPosition,
    position: settled?.position ?? null,
  };
}
