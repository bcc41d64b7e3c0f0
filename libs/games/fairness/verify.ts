import { hashServerSeed } from './commit.ts';
import { createDraws, isServerSeed, type RoundDraws, type RoundSeeds } from './draw.ts';

/**
 * Whether a revealed server seed is the one committed to. False, not an error, for text that is no
 * seed.
 */
export function seedMatches(serverSeed: string, serverSeedHash: string): boolean {
  return isServerSeed(serverSeed) && hashServerSeed(serverSeed) === serverSeedHash;
}

/**
 * Plays a round again from its revealed seed.
 * @returns what `play` makes of the round's draws, or null when the seed is not the one committed
 * to.
 */
export function recomputeRound<Result>(
  seeds: RoundSeeds & { readonly serverSeedHash: string },
  play: (draws: RoundDraws) => Result,
): { readonly result: Result } | null {
  if (!seedMatches(seeds.serverSeed, seeds.serverSeedHash)) return null;
  return { result: play(createDraws(seeds)) };
}
