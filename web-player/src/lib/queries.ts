import type { Health } from '@reelbook/contract/common';
import type { GameConfig } from '@reelbook/contract/player/public';
import { createQueryClient } from '@reelbook/web/query-client';
import { queryOptions } from '@tanstack/react-query';
import { api, readPlain } from './api.ts';

const FRESH_MS = 10_000;
const HEALTH_EVERY_MS = 5_000;
const CONFIGS_FRESH_MS = 60_000;

/** Keys of everything that belongs to the signed-in player start with this; signing out drops them. */
export const MINE = 'mine';

/** Key of what protects the player; dropped when they sign out, and not asked again with the rest. */
export const PROTECTION = 'protection';

/** Keys of what operators set start with this; `config_updated` has it asked again. */
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

/** Mint and treasury; what a deposit is sent with. */
export const tokenConfig = queryOptions({
  queryKey: [CONFIG, 'token'],
  queryFn: async () => {
    const [token, project] = await Promise.all([
      api.call('tokenContract'),
      api.call('projectWallet'),
    ]);
    return { ...token, ...project };
  },
  staleTime: CONFIGS_FRESH_MS,
});

/** BSM that the player's wallet holds on the chain. */
export const walletBalance = queryOptions({
  queryKey: [MINE, 'wallet-balance'],
  queryFn: () => api.call('walletBalance'),
});

/** The head of the ledger, asked again every five seconds while it is looked at. */
export const health = queryOptions({
  queryKey: ['health'],
  queryFn: () => readPlain<Health>('/health', { position: 'number' }),
  refetchInterval: HEALTH_EVERY_MS,
});
