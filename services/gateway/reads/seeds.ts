import { REVEALED_MAX, type RevealedSeed, type Seeds } from '@reelbook/contract/player/fairness';
import { assert } from '@reelbook/ledger/assert';
import { readRevealedSeeds } from '@reelbook/projections/seeds/projection';
import { revealedAnswer, seedsAnswer } from '../answers/player.ts';
import type { Gateway } from '../context.ts';
import { readPlayer } from './player.ts';
import { readNewlyRevealed } from './recent.ts';

type Reader = Pick<Gateway, 'pool'>;

export async function readRevealed(reader: Reader, wallet: string): Promise<RevealedSeed[]> {
  const rows = await readRevealedSeeds(reader.pool, { wallet, limit: REVEALED_MAX });
  return rows.map(revealedAnswer);
}

/** The current next, active and revealed seeds of a player. */
export async function readSeeds(reader: Reader, wallet: string): Promise<Seeds> {
  const { state, version } = await readPlayer(reader, wallet);
  assert(state.seeds, 'a registered player has seeds');
  const known = await readRevealed(reader, wallet);
  const pair = known[0]?.pair ?? 0;
  if (pair >= state.seeds.pair - 1) return seedsAnswer(state.seeds, known);
  const fresh = await readNewlyRevealed(reader.pool, { wallet, version, pair });
  return seedsAnswer(state.seeds, [...fresh, ...known].slice(0, REVEALED_MAX));
}
