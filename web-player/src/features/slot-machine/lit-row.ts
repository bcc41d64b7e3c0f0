import { createStore } from '@reelbook/web/store';

/** The row of the paytable that the reels show now, if it pays; null for none. */
export const litRow = createStore<string | null>(null);
