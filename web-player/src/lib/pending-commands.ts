import { randomKey, readJson, type TextStorage } from '@reelbook/web/storage';

/** A command that was sent, or is about to be, and whose outcome was not shown yet. */
export interface PendingCommand {
  readonly wallet: string;
  /** Its idempotency key. */
  readonly key: string;
  /** When it was sent, by the clock of this device. */
  readonly atMs: number;
}

export type PendingCommands<Body> = ReturnType<typeof createPendingCommands<Body>>;

/**
 * The one pending command of a kind, stored BEFORE it is sent and cleared after its outcome was shown. After a reload it is
 * found here, and the ledger is queried for it.
 * @param name of the storage entry
 * @param isBody whether a stored value has the fields of the command
 */
export function createPendingCommands<Body>(
  storage: TextStorage,
  name: string,
  isBody: (fields: Readonly<Record<string, unknown>>) => boolean,
) {
  type Pending = PendingCommand & Body;
  const stored = () =>
    readJson(storage, name, (value): value is Pending => isPending(value) && isBody(value));
  return {
    begin(wallet: string, body: Body): Pending {
      const pending = { ...body, wallet, key: randomKey(), atMs: Date.now() };
      storage.set(name, JSON.stringify(pending));
      return pending;
    },
    /** That of another player is kept until that player returns, or until a new one replaces it. */
    find(wallet: string): Pending | null {
      const pending = stored();
      return pending?.wallet === wallet ? pending : null;
    },
    /** Clears only the given one: another tab may have stored its own. @returns whether it was stored. */
    finish({ key }: PendingCommand): boolean {
      const isStored = stored()?.key === key;
      if (isStored) storage.remove(name);
      return isStored;
    },
  };
}

/** A stake in points. */
export interface Stake {
  readonly bet: number;
  /** The balance without it, which is shown until the outcome is. */
  readonly left?: number;
}
export type PendingBet = PendingCommand & Stake;

/** `game` names the bets of another game than the slot machine. */
export const createPendingBets = (storage: TextStorage, game?: string) =>
  createPendingCommands<Stake>(
    storage,
    game === undefined ? 'pending_bet' : `pending_bet_${game}`,
    ({ bet, left = 0 }) => typeof bet === 'number' && typeof left === 'number',
  );

function isPending(value: unknown): value is PendingCommand & Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const { wallet, key, atMs } = value as Record<string, unknown>;
  return typeof wallet === 'string' && typeof key === 'string' && typeof atMs === 'number';
}
