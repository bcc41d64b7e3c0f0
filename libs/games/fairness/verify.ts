import { hashServerSeed } from './commit.ts';
import { createDraws, isServerSeed, type RoundDraws, type RoundSeeds } from './draw.ts';

/**
 * Whether a revealed server seed matches a commitment. False for text that is not a seed.
 */
export function seedMatches(serverSeed: string, serverSeedHash: string): boolean {
  return isServerSeed(serverSeed) && hashServerSeed(serverSeed) === serverSeedHash;
}

/**
 * Draws a round again from its revealed seed.
 * @returns the result of `play` with the round's draws; null if the seed does not match the commitment.
 */
export function recomputeRound<Result>(
  seeds: RoundSeeds & { readonly serverSeedHash: string },
  play: (draws: RoundDraws) => Result,
): { readonly result: Result } | null {
  if (!seedMatches(seeds.serverSeed, seeds.serverSeedHash)) return null;
  return { result: play(createDraws(seeds)) };
}
