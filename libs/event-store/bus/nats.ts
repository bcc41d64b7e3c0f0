import type {
  ConsumerMessages,
  JetStreamClient,
  Msg,
  NatsConnection,
  PubAck,
  Subscription,
} from 'nats';
import type pg from 'pg';
import { retryWhileUnavailable } from '../db.ts';
import { compareHead, compareWithBus, readEpoch } from '../known-head.ts';
import { patienceOf } from '../service-pool.ts';
import {
  assertFollow,
  type Batch,
  type Bus,
  type BusLog,
  busCheck,
  type Closable,
  type Consumption,
  type LedgerCommand,
  OutOfOrder,
  type Packed,
  packBatches,
  readBatch,
  type Stored,
} from './bus.ts';
import {
  deleteStream,
  findSequence,
  isNoStream,
  isOutOfOrder,
  type Link,
  openLink,
  pause,
  REQUEST_TIMEOUT_MS,
  readStreamState,
  type StreamState,
} from './nats-stream.ts';

/** Messages requested ahead of the consumer: some megabytes at most. */
const MESSAGES_AHEAD = 32;
/** How long one request for messages waits at the server, which sends heartbeats in between. */
const PULL_EXPIRES_MS = 10_000;
/** Between checks that the stream is the same one and its messages arrive. */
const WATCH_INTERVAL_MS = 2_000;
const RETRY_WAIT_MS = 500;

/** An error of `onBatch`: the consumer's, not the transport's. */
class HandlerFailed extends Error {
  override name = 'HandlerFailed';
}

/**
 * Follows the stream until `signal` aborts. The client's own recovery trusts sequences, which start again in a stream
 * that was deleted or lost; so this one watches the stream and restarts from the position that it needs next.
 */
async function consumeStream(
  link: Link,
  options: { readonly replicas: number; readonly log: BusLog; onDropped(): void },
  consumption: Consumption,
): Promise<void> {
  const signal = AbortSignal.any([consumption.signal, link.closed]);
  const { name } = consumption;
  let next = consumption.from;

  async function hand(batch: Batch | null): Promise<void> {
    if (!batch) return options.onDropped();
    if (batch.lastPosition < next) return;
    try {
      if (batch.firstPosition > next) consumption.onGap?.();
      if (!(await consumption.onBatch(batch))) return options.onDropped();
    } catch (error) {
      throw new HandlerFailed(`consumer ${name} failed`, { cause: error });
    }
    next = batch.lastPosition + 1;
  }

  while (!signal.aborted) {
    try {
      const connection = await untilAborted(link.ready, signal);
      if (!connection) return;
      const streamState = await readStreamState(link, options.replicas);
      const sequence = await findSequence(link, streamState, next);
      await follow({
        link,
        connection,
        streamState,
        sequence,
        signal,
        replicas: options.replicas,
        hand,
      });
    } catch (error) {
      if (error instanceof HandlerFailed) throw error.cause;
      if (signal.aborted) return;
      options.log.warn({ err: error, consumer: name }, 'lost the stream; retrying');
      await pause(RETRY_WAIT_MS, signal);
    }
  }
}

interface Following {
  readonly link: Link;
  readonly connection: NatsConnection;
  readonly streamState: StreamState;
  readonly sequence: number;
  readonly signal: AbortSignal;
  readonly replicas: number;
  hand(batch: Batch | null): Promise<void>;
}

/** Delivers messages from a sequence on; returns when the stream was replaced, or `signal` aborts. */
async function follow(options: Following): Promise<void> {
  const consumer = await options.connection
    .jetstream()
    .consumers.get(options.link.stream, { opt_start_seq: options.sequence });
  const created = consumer.consume({
    max_messages: MESSAGES_AHEAD,
    expires: PULL_EXPIRES_MS,
    abort_on_missing_resource: true,
  });
  const messages = await untilAborted(created, AbortSignal.timeout(REQUEST_TIMEOUT_MS));
  if (!messages) {
    // The server that was to have it is lost. The client would ask for the same one again, for minutes.
    created.then((late) => late.close()).catch(() => {});
    throw new Error('a consumer was not created in time');
  }
  const stop = () => messages.stop();
  const over = new AbortController();
  const reconnect = options.link.onReconnect(stop);
  options.signal.addEventListener('abort', stop);
  const seen = { sequence: options.sequence - 1 };
  // Not awaited: a request that was pending when the connection broke takes long to fail.
  void watchStream(options, messages, seen, over.signal);
  try {
    if (options.signal.aborted) stop();
    for await (const raw of messages) {
      if (options.signal.aborted) break;
      seen.sequence = raw.seq;
      await options.hand(readBatch(raw.data));
    }
  } finally {
    over.abort();
    reconnect.close();
    options.signal.removeEventListener('abort', stop);
    void messages.close();
  }
}

/** Stops the messages when the stream was recreated, lost its end, or has messages that do not arrive. */
async function watchStream(
  options: Following,
  messages: ConsumerMessages,
  seen: { readonly sequence: number },
  over: AbortSignal,
): Promise<void> {
  let before = seen.sequence;
  while (!over.aborted) {
    await pause(WATCH_INTERVAL_MS, over);
    if (over.aborted || !options.link.current()) continue;
    try {
      const streamState = await readStreamState(options.link, options.replicas);
      const replaced =
        streamState.created !== options.streamState.created ||
        streamState.lastSequence < seen.sequence;
      const stuck = streamState.lastSequence > seen.sequence && seen.sequence === before;
      if (replaced || stuck) return messages.stop();
    } catch {
      // The server is away; the reconnection starts again.
    }
    before = seen.sequence;
  }
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  let stop = () => {};
  const aborted = new Promise<null>((resolve) => {
    stop = () => resolve(null);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Batches sent and not yet acknowledged. */
const WINDOW = 16;
/**
 * In a cluster each server checks by itself what a message expects, and one that was restarted has forgotten the last id: it
 * would refuse what the others store. There a message expects only a sequence, and is sent after the one before it.
 */
const WINDOW_IN_CLUSTER = 1;
/** Digits of the hash in the id of a message. */
const HASH_CHARS = 16;

interface Publishing {
  publish(commands: readonly LedgerCommand[]): Promise<void>;
  lastStored(): Promise<Stored | null>;
  reset(): Promise<void>;
}

/** The end of the stream when this publisher last saw it; null when unknown. */
interface End {
  readonly sequence: number;
  readonly position: number | null;
}

/**
 * Publishes with the sequence that each batch expects to follow. After any fault (a stale publisher, a lost end, a new
 * server) the server refuses everything that would not follow, and the publisher restarts from `lastStored`.
 */
function createPublishing(link: Link, replicas: number): Publishing {
  let end: End | null = null;

  async function lastStored(): Promise<Stored | null> {
    const streamState = await readStreamState(link, replicas);
    end = { sequence: streamState.lastSequence, position: streamState.stored?.position ?? null };
    return streamState.stored;
  }

  return {
    lastStored,
    async publish(commands) {
      const connection = link.current();
      if (!connection) throw new Error('no connection to NATS');
      if (!end) throw new OutOfOrder('the end of the stream is unknown');
      const batches = packBatches(commands);
      assertFollow(batches, end.position);
      const { sequence } = end;
      // Until all are acknowledged its end is unknown.
      end = null;
      const window = replicas > 1 ? WINDOW_IN_CLUSTER : WINDOW;
      const failure = await sendAll({ link, connection, batches, window }, sequence);
      if (failure) throw await toFailure(failure, lastStored);
      const position = batches.at(-1)?.lastPosition ?? null;
      end = { sequence: sequence + batches.length, position };
    },
    async reset() {
      end = null;
      await deleteStream(link);
    },
  };
}

interface Sending {
  readonly link: Link;
  readonly connection: NatsConnection;
  readonly batches: readonly Packed[];
  readonly window: number;
}

/** Sends in order, at most `window` ahead of the acknowledgements. @returns the first failure. */
async function sendAll(
  { link, connection, batches, window }: Sending,
  sequence: number,
): Promise<Error | null> {
  const stream = connection.jetstream();
  const acks: Promise<Error | null>[] = [];
  for (const [index, batch] of batches.entries()) {
    const failure = index >= window ? await acks[index - window] : null;
    if (failure) break;
    const lastSequence = sequence + index;
    const before = window > 1 ? batches[index - 1] : undefined;
    // With the previous id as well, so that all messages after a refused one are refused too, regardless of what was
    // stored in between. Not for the first: a restarted server has forgotten the last id.
    const expect = before ? { lastSequence, lastMsgID: idOf(before) } : { lastSequence };
    acks.push(send(stream, link, batch, expect));
  }
  const results = await Promise.all(acks);
  return results.find((result) => result !== null) ?? null;
}

function idOf({ firstPosition, hash }: Packed): string {
  return `${firstPosition}-${hash.slice(0, HASH_CHARS)}`;
}

async function send(
  client: JetStreamClient,
  { stream: streamName, subject }: Link,
  batch: Packed,
  expect: { readonly lastSequence: number; readonly lastMsgID?: string },
): Promise<Error | null> {
  let ack: PubAck;
  try {
    ack = await client.publish(subject, batch.payload, {
      msgID: idOf(batch),
      expect: { streamName, ...expect },
      timeout: REQUEST_TIMEOUT_MS,
    });
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
  // The server responds to a message it has seen lately before it checks the expectation.
  return ack.duplicate ? new OutOfOrder(`${batch.firstPosition} was sent before`) : null;
}

async function toFailure(failure: Error, lastStored: () => Promise<unknown>): Promise<Error> {
  if (isOutOfOrder(failure)) return new OutOfOrder(failure.message);
  if (!isNoStream(failure)) return failure;
  // The stream is gone; this creates it again, or throws because JetStream itself is away.
  await lastStored();
  return new OutOfOrder('the stream was lost and recreated');
}

/** Outside the stream's subjects: nudges are not stored. */
const NUDGE_SUBJECT = 'nudge';
/** Nudges within this interval are one; under load publisher and projector rest as long. */
const NUDGE_INTERVAL_MS = 100;

/** The fewest servers of which one may be lost. */
const REPLICAS = 3;

/**
 * The bus over NATS JetStream, server 2.9 or newer. Resolves also while the server is away: everything that waits for
 * it then starts when it comes, and `publish` throws meanwhile.
 */
export async function connectNats(options: {
  /** `nats://[user:password@]host:port`, several comma-separated. With three or more, a new stream has three copies. */
  readonly url: string;
  readonly log: BusLog;
  /** Of the ledger, as `readEpoch` reads it. */
  readonly epoch?: number;
}): Promise<Bus> {
  const { log, epoch } = options;
  const replicas = options.url.split(',').length >= REPLICAS ? REPLICAS : 1;
  const link = await openLink(options.url, log, epoch);
  const publishing = createPublishing(link, replicas);
  let dropped = 0;
  const onDropped = () => void dropped++;
  const nudge = coalesce(() => link.current()?.publish(NUDGE_SUBJECT));

  return {
    ...publishing,
    consume: (consumption) => consumeStream(link, { replicas, log, onDropped }, consumption),
    async watch(onBatch) {
      // The publisher's own messages: the watcher must detect losses.
      const watched = subscribe(link, link.subject, async ({ data }) => {
        const batch = readBatch(data);
        if (!batch || !(await onBatch(batch))) dropped++;
      });
      // So that a reader of the state misses nothing in between. If the server is away, `onReconnect` will notify.
      await link
        .current()
        ?.flush()
        .catch(() => {});
      return watched;
    },
    nudge,
    onNudge: (handler) => subscribe(link, NUDGE_SUBJECT, () => handler()),
    onReconnect: (handler) => link.onReconnect(handler),
    healthy: () => link.current() !== null,
    dropped: () => dropped,
    close: () => link.close(),
  };
}

/** Subscribes now, or as soon as there is a connection. The client renews it after every reconnection. */
function subscribe(link: Link, subject: string, onMessage: (message: Msg) => void): Closable {
  let closed = false;
  let subscription: Subscription | null = null;
  const begin = (connection: NatsConnection) => {
    if (closed || connection.isClosed()) return;
    subscription = connection.subscribe(subject, {
      callback: (error, message) => {
        if (!error && !closed) onMessage(message);
      },
    });
  };
  const connection = link.current();
  if (connection) begin(connection);
  else link.ready.then(begin, () => {});
  return {
    close() {
      closed = true;
      if (subscription && !subscription.isClosed()) subscription.unsubscribe();
    },
  };
}

/** Runs `action` immediately, and then once for all calls of each interval. */
function coalesce(action: () => void): () => void {
  let resting = false;
  let again = false;
  const begin = () => {
    action();
    again = false;
    resting = true;
    setTimeout(() => {
      resting = false;
      if (again) begin();
    }, NUDGE_INTERVAL_MS).unref();
  };
  return () => {
    if (resting) again = true;
    else begin();
  };
}

/**
 * The bus of a service of libs/runtime, of the ledger's epoch: closed with it, asked by its readiness. `optional`: the service does
 * its work without the bus as well. `showsLoss`: the console, in which operators accept what the ledger lacks of the stream.
 */
export async function openServiceBus(
  service: {
    readonly log: BusLog;
    readonly signal: AbortSignal;
    readonly settings: { readonly natsUrl: string };
    add(
      name: string,
      part: {
        close(): Promise<void>;
        readonly checks: readonly (ReturnType<typeof busCheck> & { readonly optional: boolean })[];
      },
    ): void;
  },
  o: { readonly pool: pg.Pool; readonly optional?: boolean; readonly showsLoss?: boolean },
): Promise<Bus> {
  const { pool, optional = false } = o;
  const { settings, log } = service;
  const epoch = await retryWhileUnavailable(() => readEpoch(pool), patienceOf(service));
  const bus = await connectNats({ url: settings.natsUrl, log, epoch });
  service.add('bus', { close: () => bus.close(), checks: [{ ...busCheck(bus), optional }] });
  if (!o.showsLoss) await compareWithBus(pool, bus, service.signal);
  // Waits for the lost events, as for a database that is away.
  await retryWhileUnavailable(() => compareHead(pool), patienceOf(service));
  return bus;
}
