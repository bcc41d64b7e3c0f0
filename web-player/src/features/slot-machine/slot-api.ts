import { queryOptions } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { MINE } from '../../lib/queries.ts';

const HISTORY_SIZE = 10;
/** Of all that the history may hold, what belongs to games. */
const GAME_TYPES: ReadonlySet<string> = new Set(['game', 'bet', 'win', 'game_win', 'game_loss']);

/** The player's last ten games, newest first. */
export const slotHistory = queryOptions({
  queryKey: [MINE, 'slot-history'],
  queryFn: async () => {
    const page = await api.call('slotHistory', { query: { page: 1, page_size: HISTORY_SIZE } });
    return page.items.filter(({ type }) => GAME_TYPES.has(type));
  },
});
