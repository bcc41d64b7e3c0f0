import { randomKey } from '@reelbook/web/random-key';
import { type KeptText, readJson } from '@reelbook/web/storage';

const KEY = 'pending_bet';

/** A bet that was sent, or is about to be, and whose result was not shown yet. `bet` in points. */
export interface PendingBet {
  wallet: string;
  /** Sent as the idempotency key: sending it again can never bet again. */
  key: string;
  bet: number;
}

/**
 * The one bet under way, kept BEFORE it is sent and cleared after its result was shown. A reload in
 * between finds it here, sends it again and shows the result of the first.
 */
export function createPendingBets(storage: KeptText) {
  return {
    begin(wallet: string, bet: number): PendingBet {
      const pending = { wallet, key: randomKey(), bet };
      storage.set(KEY, JSON.stringify(pending));
      return pending;
    },
    /** That of another player is left alone until they come back, or until a new bet replaces it. */
    find(wallet: string): PendingBet | null {
      const pending = readJson(storage, KEY, isPendingBet);
      return pending?.wallet === wallet ? pending : null;
    },
    /** Clears only the bet that is meant: another tab may have begun its own. */
    finish({ key }: PendingBet): void {
      if (readJson(storage, KEY, isPendingBet)?.key === key) storage.remove(KEY);
    },
  };
}

function isPendingBet(value: unknown): value is PendingBet {
  if (typeof value !== 'object' || value === null) return false;
  const { wallet, key, bet } = value as Record<string, unknown>;
  return typeof wallet === 'string' && typeof key === 'string' && typeof bet === 'number';
}
