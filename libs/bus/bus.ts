/**
 * The courier between the book and everyone who follows it. It may lose, double or delay a message: positions tell
 * a consumer what it missed, and Postgres has it. Nothing may depend on a message ever arriving.
 */
export interface Bus {
  /**
   * Stores messages in order; resolves when all are stored. They must follow the last stored message without a hole
   * (the first message of an empty stream may be any).
   * Throws `OutOfOrder` when they do not, also when another publisher was faster: rewind from `lastStored()`.
   * Throws what the transport throws when it is away; how many of the messages were stored is then unknown.
   */
  publish(messages: readonly CommandMessage[]): Promise<void>;
  /**
   * The last position stored and its event's hash, or null for an empty stream; creates the stream if it is not
   * there. Sets where `publish` goes on from.
   */
  lastStored(): Promise<Stored | null>;
  /** Throws away all that is stored: for a stream that was filled from another book. */
  reset(): Promise<void>;
  /**
   * Hands over stored messages in order from the one that holds position `from` on, one at a time, until `signal`
   * aborts; then resolves. Rejects when `onMessage` does. Survives outages, lost streams and new servers.
   * `onGap` is called before a message that does not follow the one before it: what lies between is in Postgres.
   */
  consume(consumption: Consumption): Promise<void>;
  /** Live messages of one stream from now on, at most once each and without history. */
  watch(watching: Watching): Promise<Closable>;
  /** Tells every publisher that something was appended. Cheap, coalesced, may be lost. */
  nudge(): void;
  onNudge(handler: () => void): Closable;
  /** Called after the connection was lost and is back: what was watched meanwhile is lost. */
  onReconnect(handler: () => void): Closable;
  healthy(): boolean;
  close(): Promise<void>;
}

/** For health checks: whether messages come through. */
export const courierCheck = (bus: Pick<Bus, 'healthy'>) => ({
  name: 'courier',
  check: () => (bus.healthy() ? null : 'not connected'),
});

export interface Stored {
  readonly position: number;
  /** Hex. */
  readonly hash: string;
}

/** All events of one command. Subject `ledger.<kind>.<id>`. */
export interface CommandMessage {
  readonly kind: string;
  readonly id: string;
  readonly firstPosition: number;
  readonly lastPosition: number;
  readonly firstVersion: number;
  readonly lastVersion: number;
  /** The sealed texts of the events. Empty when the command was too large to carry: read it from Postgres. */
  readonly bodies: readonly string[];
  /** Hex, one per position. */
  readonly hashes: readonly string[];
}

export interface Consumption {
  /** Names the consumer in logs. */
  readonly name: string;
  readonly from: number;
  onMessage(message: CommandMessage): Promise<void> | void;
  onGap?(): void;
  readonly signal: AbortSignal;
}

export interface Watching {
  readonly kind: string;
  readonly id: string;
  onMessage(message: CommandMessage): void;
}

export interface Closable {
  close(): void;
}

/** The part of a pino logger that a bus writes to. */
export interface BusLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
}

/** The messages do not follow the last stored one. Not a fault: rewind from `lastStored()` and go on. */
export class OutOfOrder extends Error {
  override name = 'OutOfOrder';
}

/** What a message must look like before any transport takes it. */
export function assertMessage(message: CommandMessage): void {
  const { firstPosition, lastPosition, bodies, hashes } = message;
  const count = lastPosition - firstPosition + 1;
  const whole = hashes.length === count && (bodies.length === count || bodies.length === 0);
  if (!(firstPosition >= 1 && count >= 1 && whole)) {
    throw new Error(`a message of positions ${firstPosition} to ${lastPosition} is not whole`);
  }
}
