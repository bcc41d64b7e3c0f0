import type { Balances } from '@reelbook/contract/common';
import { createStore } from '@reelbook/web/store';

/** The balances in the header. `points` may be held back while the reels still turn. */
export interface ShownBalances {
  points: number;
  token: number;
  position: number;
}

/** True after a failed request for the balances, until newer ones arrive. */
export const balancesOld = createStore(false);

/**
 * The newest known balances of one player. Responses and pushes may arrive out of order; an older stream version never
 * replaces a newer one.
 */
export function createBalancesStore() {
  let latest: Balances | null = null;
  let heldPoints: number | null = null;
  const shown = createStore<ShownBalances | null>(null);

  function show(): void {
    if (!latest) {
      shown.set(null);
      return;
    }
    const points = heldPoints ?? latest.points_balance;
    const before = shown.get();
    const token = latest.token_balance;
    const { position } = latest;
    if (before?.points === points && before.token === token && before.position === position) return;
    shown.set({ points, token, position });
  }

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    /** @returns false when it is older than the known one. */
    accept(balances: Balances): boolean {
      if (latest && balances.stream_version < latest.stream_version) return false;
      latest = balances;
      balancesOld.set(false);
      show();
      return true;
    },
    /** Shows these points, the balance without the stake, until `release`: nothing of the outcome. */
    hold(points: number): void {
      heldPoints = points;
      show();
    },
    isHeld: () => heldPoints !== null,
    release(): void {
      heldPoints = null;
      show();
    },
    reset(): void {
      latest = null;
      heldPoints = null;
      show();
    },
  };
}

export const balances = createBalancesStore();
