import { readJson, type TextStorage } from '@reelbook/web/storage';

const KEY = 'pending_deposit';

/** A deposit that was signed, and may be on the chain, but was not reported yet. `amount` in BSM. */
export interface PendingDeposit {
  wallet: string;
  hash: string;
  amount: number;
}

/** The one pending deposit, stored BEFORE it is sent and cleared after it was reported: a reload finds it here. */
export function createPendingDeposits(storage: TextStorage) {
  return {
    keep(pending: PendingDeposit): void {
      storage.set(KEY, JSON.stringify(pending));
    },
    find(wallet: string): PendingDeposit | null {
      const pending = readJson(storage, KEY, isPendingDeposit);
      return pending?.wallet === wallet ? pending : null;
    },
    /** Clears only the given deposit. */
    finish(hash: string): void {
      if (readJson(storage, KEY, isPendingDeposit)?.hash === hash) storage.remove(KEY);
    },
  };
}

function isPendingDeposit(value: unknown): value is PendingDeposit {
  if (typeof value !== 'object' || value === null) return false;
  const { wallet, hash, amount } = value as Record<string, unknown>;
  return typeof wallet === 'string' && typeof hash === 'string' && typeof amount === 'number';
}
