import { randomKey } from '@reelbook/web/random-key';
import { readJson, type TextStorage } from '@reelbook/web/storage';
import type { UnconfirmedStake } from '../../lib/unconfirmed.ts';

const KEY = 'pending_bet';

/** A bet that was sent, or is about to be, and whose result was not shown yet. */
export interface PendingBet extends UnconfirmedStake {
  readonly wallet: string;
}

/**
 * The one pending bet, stored BEFORE it is sent and cleared after its result was shown. After a reload it is found
 * here, and the ledger is queried for it. `game` names the bets of another game than the slot machine.
 */
export function createPendingBets(storage: TextStorage, nowMs: () => number, game?: string) {
  const key = game === undefined ? KEY : `${KEY}_${game}`;
  return {
    begin(wallet: string, bet: number): PendingBet {
      const pending = { wallet, key: randomKey(), bet, atMs: nowMs() };
      storage.set(key, JSON.stringify(pending));
      return pending;
    },
    /** The bet of another player is kept until that player returns, or until a new bet replaces it. */
    find(wallet: string): PendingBet | null {
      const pending = readJson(storage, key, isPendingBet);
      return pending?.wallet === wallet ? pending : null;
    },
    /** Clears only the given bet: another tab may have stored its own. */
    finish(pending: PendingBet): void {
      if (readJson(storage, key, isPendingBet)?.key === pending.key) storage.remove(key);
    },
  };
}

function isPendingBet(value: unknown): value is PendingBet {
  if (typeof value !== 'object' || value === null) return false;
  const { wallet, key, bet, atMs } = value as Record<string, unknown>;
  const texts = typeof wallet === 'string' && typeof key === 'string';
  return texts && typeof bet === 'number' && typeof atMs === 'number';
}
