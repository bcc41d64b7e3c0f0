import type { ConsumerMessages, NatsConnection } from 'nats';
import { type Batch, readBatch } from './batch.ts';
import type { BusLog, Consumption } from './bus.ts';
import { type Link, pause } from './nats-link.ts';
import { findSequence, readStreamState, STREAM, type StreamState } from './nats-stream.ts';

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
export async function consumeStream(
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
      const sequence = await findSequence(await link.manager(), streamState, next);
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
    .consumers.get(STREAM, { opt_start_seq: options.sequence });
  const messages = await consumer.consume({
    max_messages: MESSAGES_AHEAD,
    expires: PULL_EXPIRES_MS,
    abort_on_missing_resource: true,
  });
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
