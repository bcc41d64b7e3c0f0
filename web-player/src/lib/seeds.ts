import type { Seeds } from '@reelbook/contract/player/fairness';
import { deviceStorage } from '@reelbook/web/storage';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { createOwnSeeds } from './own-seed.ts';
import { PLAYER_DATA, queryClient } from './queries.ts';
import { session } from './session-store.ts';

export const CLIENT_SEED_MAX_LENGTH = 64;

/** The player's seed pair in its three stages. */
export const seeds = queryOptions({
  queryKey: [PLAYER_DATA, 'seeds'],
  queryFn: () => api.call('seeds'),
});

/** One round with all inputs of its outcome. */
export const provenRound = (roundId: string) =>
  queryOptions({
    queryKey: [PLAYER_DATA, 'round', roundId],
    queryFn: () => api.call('round', { params: { round_id: roundId } }),
  });

const ownSeeds = createOwnSeeds(deviceStorage, {
  read: () => api.call('seeds'),
  rotate: (clientSeed) => api.call('rotateSeeds', { body: { client_seed: clientSeed } }),
});

/**
 * Reveals the active seed and activates the next, with `text` or a seed of this browser as client seed. Throws
 * ApiError, and `NoOwnSeed` where the site broke its commitment.
 */
export async function rotateSeeds(text: string | null): Promise<void> {
  const now = await queryClient.fetchQuery({ ...seeds, staleTime: 0 });
  keepSeeds(await ownSeeds.rotate(player(), now, text));
  await queryClient.invalidateQueries({ queryKey: [PLAYER_DATA, 'round'] });
}

/** Before every stake: resolves when the client seed is the player's own. Throws `NoOwnSeed`. */
export async function ensureOwnSeed(): Promise<void> {
  const known = queryClient.getQueryData(seeds.queryKey);
  if (known && ownSeeds.isOwn(player(), known)) return;
  keepSeeds(await ownSeeds.ensure(player()));
}

/** Who chose the active client seed, as far as this browser knows. */
export function chosenBy(known: Seeds): 'here' | 'elsewhere' | 'site' {
  if (ownSeeds.isChosenHere(player(), known)) return 'here';
  return ownSeeds.isOwn(player(), known) ? 'elsewhere' : 'site';
}

function keepSeeds(known: Seeds): void {
  queryClient.setQueryData(seeds.queryKey, known);
}

function player(): string {
  return session.get()?.user.public_id ?? '';
}

/** Whether the server accepts the client seed: 1 to 64 visible ASCII characters, no colon. */
export function isClientSeed(text: string): boolean {
  return /^[\x21-\x39\x3b-\x7e]+$/.test(text) && text.length <= CLIENT_SEED_MAX_LENGTH;
}
