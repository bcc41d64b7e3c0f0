import type { Seeds } from '@reelbook/contract/schemas/fairness';
import { queryOptions } from '@tanstack/react-query';
import { api } from './api.ts';
import { MINE, queryClient } from './queries.ts';

export const CLIENT_SEED_MAX_LENGTH = 64;
const CLIENT_SEED_BYTES = 8;

/** The player's pair of seeds in its three stages. */
export const seeds = queryOptions({
  queryKey: [MINE, 'seeds'],
  queryFn: () => api.call('seeds'),
});

/** One round with all that its outcome follows from. */
export const provenRound = (roundId: string) =>
  queryOptions({
    queryKey: [MINE, 'round', roundId],
    queryFn: () => api.call('round', { params: { round_id: roundId } }),
  });

/** Reveals the active seed and goes on with the next one. Throws ApiError. */
export async function rotateSeeds(clientSeed: string): Promise<Seeds> {
  const answer = await api.call('rotateSeeds', { body: { client_seed: clientSeed } });
  queryClient.setQueryData(seeds.queryKey, answer);
  await queryClient.invalidateQueries({ queryKey: [MINE, 'round'] });
  return answer;
}

/** Whether the server would take it: 1 to 64 visible ASCII characters, no colon. */
export function isClientSeed(text: string): boolean {
  return /^[\x21-\x39\x3b-\x7e]+$/.test(text) && text.length <= CLIENT_SEED_MAX_LENGTH;
}

/** A seed of this browser's own making, 16 hex digits. */
export function randomClientSeed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(CLIENT_SEED_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
