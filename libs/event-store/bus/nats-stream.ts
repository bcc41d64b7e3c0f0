import { setTimeout as sleep } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
} from 'nats';
import {
  BATCH_MAX_BYTES,
  type Batch,
  type BusLog,
  type Closable,
  readBatch,
  type Stored,
} from './bus.ts';

const CONNECT_TIMEOUT_MS = 3_000;
/** Between attempts to connect, the first time and every later one. */
const RECONNECT_WAIT_MS = 500;
/** A dead connection that was not closed is noticed after two pings without an answer. */
const PING_INTERVAL_MS = 5_000;
/** Of a request to JetStream, including a publish. */
export const REQUEST_TIMEOUT_MS = 5_000;

/** One connection for the life of the process. Retries a server that is away forever, also at the start. */
export interface Link {
  /** The connection once there is one; rejects when closed before. It reconnects automatically. */
  readonly ready: Promise<NatsConnection>;
  /** The connection if it is up. */
  current(): NatsConnection | null;
  /** The manager of JetStream; rejects while the server is away. */
  manager(): Promise<JetStreamManager>;
  onReconnect(handler: () => void): Closable;
  readonly closed: AbortSignal;
  /** Of the epoch. */
  readonly stream: string;
  readonly subject: string;
  /** Whether the stream was seen over this link: if it is missing after that, it was deleted. */
  readonly seen: { stream: boolean };
  close(): Promise<void>;
}

/** Resolves after the first attempt, whether or not it succeeded. `url` may name several servers, comma-separated. */
export async function openLink(url: string, log: BusLog, epoch = 0): Promise<Link> {
  const closing = new AbortController();
  const reconnected = new Set<() => void>();
  const options = connectionOptions(url);
  let connection: NatsConnection | null = null;
  let up = false;

  async function attempt(): Promise<NatsConnection | null> {
    try {
      connection = await connect(options);
    } catch (error) {
      log.warn({ err: error }, 'NATS is away; continuing without it and retrying');
      return null;
    }
    up = true;
    void follow(connection);
    for (const handler of [...reconnected]) handler();
    return connection;
  }

  async function follow(link: NatsConnection): Promise<void> {
    for await (const { type } of link.status()) {
      if (type === 'disconnect') {
        up = false;
        log.warn({}, 'connection to NATS lost');
      } else if (type === 'reconnect') {
        up = true;
        log.info({}, 'connection to NATS is back');
        for (const handler of [...reconnected]) handler();
      }
    }
    up = false;
  }

  async function attemptUntilUp(first: NatsConnection | null): Promise<NatsConnection> {
    let link = first;
    while (!link) {
      await pause(RECONNECT_WAIT_MS, closing.signal);
      if (closing.signal.aborted) throw new Error('the bus is closed');
      link = await attempt();
    }
    if (closing.signal.aborted) await link.close();
    return link;
  }

  const ready = attemptUntilUp(await attempt());
  ready.catch(() => {});
  return {
    ready,
    current: () => (up && !connection?.isClosed() && !closing.signal.aborted ? connection : null),
    async manager() {
      if (!up || !connection) throw new Error('no connection to NATS');
      return connection.jetstreamManager({ timeout: REQUEST_TIMEOUT_MS, checkAPI: false });
    },
    onReconnect(handler) {
      reconnected.add(handler);
      return { close: () => reconnected.delete(handler) };
    },
    closed: closing.signal,
    stream: epoch === 0 ? STREAM : `${STREAM}-${epoch}`,
    subject: epoch === 0 ? SUBJECT : `${SUBJECT}.${epoch}`,
    seen: { stream: false },
    async close() {
      closing.abort();
      await connection?.close();
    },
  };
}

/** Name and password may be in the URL. */
function connectionOptions(url: string): ConnectionOptions {
  const servers = url.split(',').map((server) => server.trim());
  const { username, password } = new URL(servers[0] ?? '');
  return {
    servers: servers.map((server) => new URL(server).host),
    ...(username ? { user: decodeURIComponent(username) } : {}),
    ...(password ? { pass: decodeURIComponent(password) } : {}),
    name: 'reelbook',
    // Otherwise an error with its stack is created for every request.
    noAsyncTraces: true,
    timeout: CONNECT_TIMEOUT_MS,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    // A changed password takes effect after a restart of the server: not a reason to give up.
    ignoreAuthErrorAbort: true,
    pingInterval: PING_INTERVAL_MS,
    maxPingOut: 2,
  };
}

/** Resolves after `timeoutMs` or when `signal` aborts, whichever is first. */
export const pause = (timeoutMs: number, signal: AbortSignal): Promise<void> =>
  sleep(timeoutMs, undefined, { signal }).catch(() => {});

/**
 * Of the first epoch; a later one is part of both names. So a stream never continues with events of a ledger that went back, and
 * no process empties one.
 */
export const STREAM = 'LEDGER';
export const SUBJECT = 'ledger.commands';

/** Consumers read older messages from Postgres; this only saves them that after usual outages. */
const BYTES_KEPT = 1024 * 1024 * 1024;
const MESSAGES_KEPT = 2_000_000;
const AGE_KEPT_MS = 7 * 24 * 60 * 60_000;
/**
 * Order and uniqueness come from the expected sequence. The server's memory of message ids only needs to outlast what is
 * in flight; a longer one would refuse messages that were purged and are sent again.
 */
const DUPLICATE_WINDOW_MS = 2_000;

/**
 * nats-server 2.9 deletes the files of a removed stream in the background, and with them those of another stream of the
 * same name that was created meanwhile: it would store nothing and report success.
 */
const RECREATE_AFTER_MS = 1_000;

/** Foreign messages at the end of the stream before it counts as empty. */
const FOREIGN_MAX = 100;

/** Reads of a stream that others keep publishing to, before giving up on its end. */
const STATE_READS_MAX = 10;

const STREAM_NOT_FOUND = 10_059;
const STREAM_NAME_IN_USE = 10_058;
const WRONG_LAST_MESSAGE_ID = 10_070;
const WRONG_LAST_SEQUENCE = 10_071;
const NO_RESPONDERS = '503';
const NOT_FOUND = 404;

/** The end of a stream. `created` distinguishes a stream from its successor of the same name. */
export interface StreamState {
  readonly created: string;
  readonly firstSequence: number;
  readonly lastSequence: number;
  /** Null for an empty stream. */
  readonly stored: Stored | null;
}

/** Creates the stream if it does not exist. One with other settings is left unchanged. */
async function ensureStream(
  manager: JetStreamManager,
  { stream, subject }: Link,
  replicas: number,
): Promise<void> {
  try {
    await manager.streams.add({
      name: stream,
      subjects: [subject],
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
      num_replicas: replicas,
      max_bytes: BYTES_KEPT,
      max_msg_size: BATCH_MAX_BYTES,
      max_msgs: MESSAGES_KEPT,
      max_age: nanos(AGE_KEPT_MS),
      duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    });
  } catch (error) {
    if (apiCode(error) !== STREAM_NAME_IN_USE) throw error;
  }
}

/**
 * Reads the end of the stream, creating the stream if it does not exist. Sequence and position must be of one point in
 * time: a publisher that takes an old sequence for a new position would later be accepted after a gap.
 */
export async function readStreamState(link: Link, replicas: number): Promise<StreamState> {
  const manager = await link.manager();
  let before = await readState(link, manager, replicas);
  for (let read = 0; read < STATE_READS_MAX; read++) {
    const stored = await readLast(manager, link, before);
    const after = await readState(link, manager, replicas);
    const { created, lastSequence } = after;
    if (created === before.created && lastSequence === before.lastSequence) {
      return { ...after, stored };
    }
    before = after;
  }
  throw new Error(`the stream kept changing during ${STATE_READS_MAX} reads`);
}

async function readState(link: Link, manager: JetStreamManager, replicas: number) {
  const find = () => manager.streams.info(link.stream).catch(orNull(STREAM_NOT_FOUND));
  let info = await find();
  if (!info && link.seen.stream) {
    await pause(RECREATE_AFTER_MS, link.closed);
    info = await find();
  }
  if (!info) {
    await ensureStream(manager, link, replicas);
    info = await manager.streams.info(link.stream);
  }
  link.seen.stream = true;
  const { first_seq: firstSequence, last_seq: lastSequence } = info.state;
  return { created: info.created, firstSequence, lastSequence };
}

/** The newest batch, after which there may be foreign messages. */
async function readLast(
  manager: JetStreamManager,
  link: Link,
  options: Pick<StreamState, 'firstSequence' | 'lastSequence'>,
): Promise<Stored | null> {
  const oldest = Math.max(options.firstSequence, options.lastSequence - FOREIGN_MAX);
  for (let sequence = options.lastSequence; sequence >= oldest && sequence > 0; sequence--) {
    const found = await readAt(manager, link, sequence);
    if (found) return { position: found.lastPosition, hash: found.hash };
  }
  return null;
}

/** Null where there is no message, or a foreign one. */
async function readAt(
  manager: JetStreamManager,
  { stream }: Link,
  seq: number,
): Promise<Batch | null> {
  const message = await manager.streams.getMessage(stream, { seq }).catch(orNotFound);
  return message && readBatch(message.data);
}

export async function deleteStream({ manager, stream }: Link): Promise<void> {
  await (await manager()).streams.delete(stream).catch(orNull(STREAM_NOT_FOUND));
}

/**
 * The sequence of the first message that contains `position` or a later one, by binary search: some twenty requests for
 * a million messages. One past the end when there is none.
 */
export async function findSequence(
  link: Link,
  streamState: StreamState,
  position: number,
): Promise<number> {
  if (!streamState.stored || streamState.stored.position < position)
    return streamState.lastSequence + 1;
  const manager = await link.manager();
  let low = streamState.firstSequence;
  let high = streamState.lastSequence;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const batch = await readAt(manager, link, middle);
    // Where it is unknown: too early is a few messages more, too late is a gap.
    if (batch && batch.lastPosition < position) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The message does not follow the stream's last one. */
export function isOutOfOrder(error: unknown): boolean {
  const code = apiCode(error);
  return code === WRONG_LAST_SEQUENCE || code === WRONG_LAST_MESSAGE_ID;
}

/** No one listens on the subject: the stream is gone, or JetStream is. */
export function isNoStream(error: unknown): boolean {
  return error instanceof NatsError && error.code === NO_RESPONDERS;
}

function apiCode(error: unknown): number | undefined {
  return error instanceof NatsError ? error.api_error?.err_code : undefined;
}

function orNull(code: number): (error: unknown) => null {
  return (error) => {
    if (apiCode(error) === code) return null;
    throw error;
  };
}

function orNotFound(error: unknown): null {
  if (error instanceof NatsError && error.api_error?.code === NOT_FOUND) return null;
  throw error;
}
