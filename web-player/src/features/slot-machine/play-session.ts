import { readJson, type TextStorage } from '@reelbook/web/storage';
import { createStore } from '@reelbook/web/store';

const KEY = 'play_session';

/** The play of one player in this tab since `startedAtMs`. Amounts in hundredths of a point. */
export interface PlaySession {
  wallet: string;
  startedAtMs: number;
  spins: number;
  stakedCents: number;
  netCents: number;
  /** The newest round counted, so that a repeated result is not counted again. */
  lastRoundId: string | null;
}

/** Counts the rounds of this visit: survives a reload, and starts at zero with another player. */
export function createPlaySession(storage: TextStorage, nowMs: () => number) {
  const store = createStore<PlaySession | null>(readJson(storage, KEY, isPlaySession));

  function keep(next: PlaySession): void {
    storage.set(KEY, JSON.stringify(next));
    store.set(next);
  }

  function start(wallet: string): PlaySession {
    const now = store.get();
    if (now?.wallet === wallet) return now;
    const amounts = { spins: 0, stakedCents: 0, netCents: 0, lastRoundId: null };
    const next = { wallet, startedAtMs: nowMs(), ...amounts };
    keep(next);
    return next;
  }

  return {
    get: store.get,
    subscribe: store.subscribe,
    start,
    count(wallet: string, round: { round_id: string; bet_amount: number; win_amount: number }) {
      const now = start(wallet);
      if (now.lastRoundId === round.round_id) return;
      const stakedCents = Math.round(round.bet_amount * 100);
      const wonCents = Math.round(round.win_amount * 100);
      keep({
        ...now,
        spins: now.spins + 1,
        stakedCents: now.stakedCents + stakedCents,
        netCents: now.netCents + wonCents - stakedCents,
        lastRoundId: round.round_id,
      });
    },
  };
}

function isPlaySession(value: unknown): value is PlaySession {
  return typeof value === 'object' && value !== null && 'startedAtMs' in value && 'wallet' in value;
}
