import type { Batch, LedgerCommand, Packed } from './batch.ts';

/**
 * Carries the ledger's events to all followers. It may lose, double or delay a message, and anyone with its password may
 * add one: positions show a consumer what it missed, hashes show what is not of the ledger, and Postgres has all events.
 * Nothing may depend on a message arriving.
 */
export interface Bus {
  /**
   * Stores commands in order, many to a message; resolves when all are stored. They must follow the last stored one
   * without a gap (the first command of an empty stream may be any).
   * Throws `OutOfOrder` when they do not, also when another publisher was faster: restart from `lastStored()`.
   * Throws the transport's error when it is away; how many of the commands were stored is then unknown.
   */
  publish(commands: readonly LedgerCommand[]): Promise<void>;
  /**
   * The last position stored and its event's hash, or null for an empty stream; creates the stream if it does not
   * exist. Sets the position that `publish` continues from.
   */
  lastStored(): Promise<Stored | null>;
  /** Deletes all that is stored. An operator's decision: no process does it automatically. */
  reset(): Promise<void>;
  /**
   * Delivers stored batches in order from the one that contains position `from`, one at a time, until `signal` aborts;
   * then resolves. Rejects when `onBatch` does. Survives outages, lost streams and new servers.
   * `onGap` is called before a batch that begins after the expected position: what is between them is in Postgres.
   */
  consume(consumption: Consumption): Promise<void>;
  /** Every batch from now on, at most once each and without history. */
  watch(onBatch: OnBatch): Promise<Closable>;
  /** Notifies every publisher of an append. Cheap, coalesced, may be lost. */
  nudge(): void;
  onNudge(handler: () => void): Closable;
  /** Called when a lost connection is back: what was watched meanwhile is lost. */
  onReconnect(handler: () => void): Closable;
  /** Whether messages come through. */
  healthy(): boolean;
  /** Messages since it was opened that were no batch, or not of the ledger. */
  dropped(): number;
  close(): Promise<void>;
}

/**
 * Receives a batch, complete even when only its end is new. `false`: it is not of the ledger, and is dropped as if it
 * had never come.
 */
export type OnBatch = (batch: Batch) => Promise<boolean> | boolean;

/** For health checks: whether messages come through. */
export const busCheck = (bus: Pick<Bus, 'healthy'>) => ({
  name: 'bus',
  check: () => (bus.healthy() ? null : 'unavailable: pushes are delayed'),
});

export interface Stored {
  readonly position: number;
  /** Hex. */
  readonly hash: string;
}

export interface Consumption {
  /** Names the consumer in logs. */
  readonly name: string;
  readonly from: number;
  readonly onBatch: OnBatch;
  onGap?(): void;
  readonly signal: AbortSignal;
}

export interface Closable {
  close(): void;
}

/** The part of a pino logger that a bus writes to. */
export interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The commands do not follow the last stored one. Not a fault: restart from `lastStored()`. */
export class OutOfOrder extends Error {
  override name = 'OutOfOrder';
}

/** Throws `OutOfOrder` unless the batches follow `after` and each other; null: they may begin anywhere. */
export function assertFollow(batches: readonly Packed[], after: number | null): void {
  let last = after;
  for (const { firstPosition, lastPosition } of batches) {
    if (last !== null && firstPosition !== last + 1) {
      throw new OutOfOrder(`${firstPosition} does not follow ${last}`);
    }
    last = lastPosition;
  }
}
