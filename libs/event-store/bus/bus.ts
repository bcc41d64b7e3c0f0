/**
 * The form of a message: a line of JSON that names the commands and the length of each event, then the texts of the
 * events as the ledger has them. A reader that needs none of the commands parses only the line.
 */

/** All events of one command, as a publisher passes them. */
export interface LedgerCommand {
  readonly stream: string;
  readonly firstPosition: number;
  /** The sealed texts of the events. */
  readonly bodies: readonly string[];
  /** Hex: of the event before the first, and of the last. */
  readonly previousHash: string;
  readonly hash: string;
}

/** Commands that follow each other. Unproven until compared with the ledger. */
export interface Batch {
  readonly firstPosition: number;
  readonly lastPosition: number;
  /** Hex: of the event before the first, and of the last. */
  readonly previousHash: string;
  readonly hash: string;
  readonly commands: readonly CommandPlace[];
  /** The texts of all events in order. Empty for one command that is too large to carry: it is in Postgres. */
  texts(): readonly Buffer[];
}

export interface CommandPlace {
  readonly stream: string;
  readonly firstPosition: number;
  readonly lastPosition: number;
}

/** The encoded form of a batch. */
export interface Packed extends Omit<Batch, 'commands' | 'texts'> {
  readonly payload: Buffer;
}

export const COMMANDS_PER_BATCH_MAX = 128;
export const BATCH_MAX_BYTES = 256 * 1024;

const NEW_LINE = 0x0a;
/** Maximum lengths in the line: of the batch, of a command without its name, and of an event. */
const [LINE_BYTES, COMMAND_BYTES, LENGTH_BYTES] = [256, 8, 8] as const;
const STREAM = /^[a-z]+(-[0-9A-Za-z]{1,64})?$/;
const HASH = /^[0-9a-f]{64}$/;

interface Line {
  readonly first: number;
  readonly last: number;
  readonly previous: string;
  readonly hash: string;
  /** The stream and the length of each event in bytes; no length for a command that is too large. */
  readonly commands: readonly (readonly [stream: string, ...lengths: number[]])[];
}

/** Packs the commands into as few messages as possible, in order. Throws for commands that do not follow each other. */
export function packBatches(commands: readonly LedgerCommand[]): Packed[] {
  const packed: Packed[] = [];
  let some: LedgerCommand[] = [];
  let bytes = LINE_BYTES;
  const close = () => {
    if (some.length > 0) packed.push(pack(some, bytes > BATCH_MAX_BYTES));
    some = [];
    bytes = LINE_BYTES;
  };
  for (const command of commands) {
    const more = bytesOf(command);
    if (some.length === COMMANDS_PER_BATCH_MAX || bytes + more > BATCH_MAX_BYTES) close();
    some.push(command);
    bytes += more;
  }
  close();
  return packed;
}

function bytesOf({ stream, bodies }: LedgerCommand): number {
  const texts = bodies.reduce((sum, body) => sum + Buffer.byteLength(body) + LENGTH_BYTES, 0);
  return stream.length + COMMAND_BYTES + texts;
}

function pack(commands: readonly LedgerCommand[], tooLarge: boolean): Packed {
  const first = commands[0] as LedgerCommand;
  let [last, hash] = [first.firstPosition - 1, first.previousHash];
  for (const command of commands) {
    const { stream, firstPosition, bodies } = command;
    const valid = STREAM.test(stream) && bodies.length > 0 && HASH.test(command.hash);
    if (
      !valid ||
      firstPosition !== last + 1 ||
      firstPosition < 1 ||
      command.previousHash !== hash
    ) {
      throw new Error(`the command at ${firstPosition} is incomplete or does not follow ${last}`);
    }
    last += bodies.length;
    hash = command.hash;
  }
  const line: Line = {
    first: first.firstPosition,
    last,
    previous: first.previousHash,
    hash,
    commands: commands.map(({ stream, bodies }) =>
      tooLarge ? [stream] : [stream, ...bodies.map((body) => Buffer.byteLength(body))],
    ),
  };
  const texts = tooLarge ? [] : commands.flatMap(({ bodies }) => bodies);
  return {
    firstPosition: line.first,
    lastPosition: last,
    previousHash: line.previous,
    hash,
    payload: Buffer.from([`${JSON.stringify(line)}\n`, ...texts].join('')),
  };
}

/** Reads the line of a message; null for a message that no publisher of Reelbook sends. */
export function readBatch(payload: Uint8Array): Batch | null {
  if (payload.length > BATCH_MAX_BYTES) return null;
  const bytes = Buffer.from(payload.buffer, payload.byteOffset, payload.length);
  const end = bytes.indexOf(NEW_LINE);
  try {
    const line = JSON.parse(bytes.toString('utf8', 0, Math.max(0, end))) as Line;
    return isPlaced(line) ? open(line, bytes, end + 1) : null;
  } catch {
    return null;
  }
}

function isPlaced({ first, last, previous, hash, commands }: Line): boolean {
  return (
    isCount(first) &&
    isCount(last) &&
    isHash(previous) &&
    isHash(hash) &&
    Array.isArray(commands) &&
    commands.length >= 1 &&
    commands.length <= COMMANDS_PER_BATCH_MAX
  );
}

function open(line: Line, bytes: Buffer, begin: number): Batch | null {
  const commands: CommandPlace[] = [];
  const lengths: number[] = [];
  let [next, end] = [line.first, begin];
  for (const [stream, ...own] of line.commands) {
    const tooLarge = own.length === 0 && line.commands.length === 1 && line.last >= next;
    if (typeof stream !== 'string' || !STREAM.test(stream)) return null;
    if (!tooLarge && (own.length === 0 || !own.every(isCount))) return null;
    const firstPosition = next;
    next = tooLarge ? line.last + 1 : next + own.length;
    commands.push({ stream, firstPosition, lastPosition: next - 1 });
    for (const length of own) {
      lengths.push(length);
      end += length;
    }
  }
  if (next !== line.last + 1 || end !== bytes.length) return null;
  return {
    firstPosition: line.first,
    lastPosition: line.last,
    previousHash: line.previous,
    hash: line.hash,
    commands,
    texts() {
      let at = begin;
      return lengths.map((length) => {
        at += length;
        return bytes.subarray(at - length, at);
      });
    },
  };
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 1;
const isHash = (value: unknown) => typeof value === 'string' && HASH.test(value);

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
