import type { BetResult, Round } from '@reelbook/contract/player/games';
import { deviceStorage } from '@reelbook/web/storage';
import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { PLAYER_DATA, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';

const HISTORY_SIZE = 10;
/** The transaction types of games. */
const GAME_TYPES: ReadonlySet<string> = new Set(['game', 'bet', 'win', 'game_win', 'game_loss']);
const PLAYED_KEY = [PLAYER_DATA, 'slot-played'];

/** The data of a round on this page, from a bet or from the history. */
export type ShownRound = Pick<
  Round & BetResult,
  | 'round_id'
  | 'created_at'
  | 'symbols'
  | 'row'
  | 'bet_amount'
  | 'win_amount'
  | 'rules'
  | 'server_seed_hash'
  | 'client_seed'
  | 'nonce'
  | 'position'
>;

/** Whether the player has a bet whose result the reels have not shown yet; see `createPendingBets`. */
export const isBetPending = () =>
  deviceStorage.get('pending_bet')?.includes(session.get()?.user.wallet_address ?? ' ') ?? false;

/** The player's last ten games, newest first. Not loaded while a bet is pending. */
export const slotHistory = queryOptions({
  queryKey: [PLAYER_DATA, 'slot-history'],
  enabled: () => !isBetPending(),
  queryFn: async (): Promise<readonly ShownRound[]> => {
    const page = await api.call('slotHistory', { query: { page: 1, page_size: HISTORY_SIZE } });
    return withPlayed(
      page.items.filter(({ type }) => GAME_TYPES.has(type)),
      queryClient.getQueryData<readonly ShownRound[]>(PLAYED_KEY) ?? [],
    );
  },
});

/** A result is shown in the history immediately, even if the server's list lags. */
export function notePlayed(round: ShownRound): void {
  const played = queryClient.getQueryData<readonly ShownRound[]>(PLAYED_KEY) ?? [];
  queryClient.setQueryData(PLAYED_KEY, [round, ...played].slice(0, HISTORY_SIZE));
  queryClient.setQueryData(slotHistory.queryKey, (known) => withPlayed(known ?? [], [round]));
}

/** The listed rounds and those played since, newest first, ten at most, without duplicates. */
export function withPlayed(
  listed: readonly ShownRound[],
  played: readonly ShownRound[],
): readonly ShownRound[] {
  const newest = listed[0]?.position ?? 0;
  const missing = played.filter(({ position }) => position > newest);
  return [...missing, ...listed].slice(0, HISTORY_SIZE);
}
