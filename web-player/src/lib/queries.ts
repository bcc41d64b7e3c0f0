import type { Health } from '@reelbook/contract/common';
import type { GameConfig } from '@reelbook/contract/player/public';
import { createQueryClient } from '@reelbook/web/query-client';
import { queryOptions } from '@tanstack/react-query';
import { api, readPlain } from './api.ts';

const FRESH_MS = 10_000;
const CONFIGS_FRESH_MS = 60_000;

/** Prefix of the keys of all data of the signed-in player; signing out drops them. */
export const PLAYER_DATA = 'mine';

/** Key of the player's protection; dropped at sign-out, and not invalidated with the rest. */
export const PROTECTION = 'protection';

/** Prefix of the keys of operators' settings; `config_updated` invalidates them. */
export const CONFIG = 'config';

export const queryClient = createQueryClient(FRESH_MS);

export const gameConfigs = queryOptions({
  queryKey: [CONFIG, 'games'],
  queryFn: () => api.call('gameConfigs'),
  staleTime: CONFIGS_FRESH_MS,
});

/** Of one game, by its id. */
export const configOf = (
  configs: Readonly<Record<string, GameConfig>> | undefined,
  id: string,
): GameConfig | undefined => configs?.[id.replaceAll('-', '_')];

export const exchangeRates = queryOptions({
  queryKey: [CONFIG, 'exchange-rates'],
  queryFn: async () => (await api.call('exchangeRates')).exchange_rates,
  staleTime: CONFIGS_FRESH_MS,
});

export const systemConfig = queryOptions({
  queryKey: [CONFIG, 'system'],
  queryFn: () => api.call('systemConfig'),
  staleTime: CONFIGS_FRESH_MS,
});

/** Mint, decimals and treasury, for sending a deposit. */
export const tokenConfig = queryOptions({
  queryKey: [CONFIG, 'token'],
  queryFn: async () => {
    const [token, project, decimals] = await Promise.all([
      api.call('tokenContract'),
      api.call('projectWallet'),
      // Only a fallback: the chain has them.
      api.call('tokenConfig').then(
        ({ token_decimals }) => token_decimals,
        () => null,
      ),
    ]);
    return { ...token, ...project, decimals };
  },
  staleTime: CONFIGS_FRESH_MS,
});

/** BSM in the player's wallet on the chain. */
export const walletBalance = queryOptions({
  queryKey: [PLAYER_DATA, 'wallet-balance'],
  queryFn: () => api.call('walletBalance'),
});

/** Whether the site has a local chain. */
export const health = queryOptions({
  queryKey: ['health'],
  queryFn: () => readPlain<Health>('/health', { position: 'number' }),
});

const ENTRIES_EVERY_MS = 3_000;

/** The newest events of the ledger, loaded again while the page is visible; the player's own are marked. */
export const latestEntries = (signedIn: boolean) =>
  queryOptions({
    queryKey: [signedIn ? PLAYER_DATA : 'public', 'latest-entries'],
    queryFn: () => api.call(signedIn ? 'latestAndOwnEntries' : 'latestEntries'),
    refetchInterval: ENTRIES_EVERY_MS,
  });
