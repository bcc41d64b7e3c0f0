import type { Balances } from '@reelbook/contract/common';
import { createStore } from '@reelbook/web/store';

/** The balances in the header. `points` may be held back while the reels still turn. */
export interface ShownBalances {
  points: number;
  token: number;
  position: number;
  /** Whether `points` is held back. */
  held: boolean;
}

/** True after a failed request for the balances, until newer ones arrive. */
export const balancesOld = createStore(false);

/** As the specification allows them: numbers or texts, BSM under either name. */
export type ReceivedBalances = Pick<Balances, 'stream_version' | 'position'> &
  Readonly<Partial<Record<'balance' | 'token_balance' | 'points_balance', number | string>>>;

/** Null if one of them is not readable. */
function readAmounts(received: ReceivedBalances): Pick<ShownBalances, 'points' | 'token'> | null {
  const points = readAmount(received.points_balance);
  const token = readAmount(received.token_balance ?? received.balance);
  return Number.isFinite(points) && Number.isFinite(token) ? { points, token } : null;
}

const readAmount = (amount: unknown): number =>
  typeof amount === 'number' || (typeof amount === 'string' && amount.trim() !== '')
    ? Number(amount)
    : Number.NaN;

/**
 * The newest known balances of one player. Responses and pushes may arrive out of order; an older stream version never
 * replaces a newer one.
 */
export function createBalancesStore() {
  let latest: (Omit<ShownBalances, 'held'> & { readonly version: number }) | null = null;
  let heldPoints: number | null = null;
  const shown = createStore<ShownBalances | null>(null);

  function show(): void {
    if (!latest) {
      shown.set(null);
      return;
    }
    const { token, position } = latest;
    const held = heldPoints !== null;
    const next = { points: heldPoints ?? latest.points, token, position, held };
    if (JSON.stringify(next) !== JSON.stringify(shown.get())) shown.set(next);
  }

  return {
    get: shown.get,
    subscribe: shown.subscribe,
    /** @returns false when it is older than the known one, or not readable: then the known one stays, marked as old. */
    accept(received: ReceivedBalances): boolean {
      const { stream_version: version, position } = received;
      if (latest && version < latest.version) return false;
      const amounts = readAmounts(received);
      balancesOld.set(amounts === null);
      if (!amounts) return false;
      latest = { ...amounts, position, version };
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
