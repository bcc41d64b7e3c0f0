import type { Msg, NatsConnection, Subscription } from 'nats';
import { readBatch } from './batch.ts';
import type { Bus, BusLog, Closable } from './bus.ts';
import { consumeStream } from './nats-consume.ts';
import { type Link, openLink } from './nats-link.ts';
import { createPublishing } from './nats-publish.ts';
import { SUBJECT } from './nats-stream.ts';

/** Outside the stream's subjects: nudges are not stored. */
const NUDGE_SUBJECT = 'nudge';
/** Nudges within this interval are one; a publisher gathers commands for as long. */
const NUDGE_INTERVAL_MS = 10;

/**
 * The bus over NATS JetStream, server 2.9 or newer. Resolves also while the server is away: everything that waits for
 * it then starts when it comes, and `publish` throws meanwhile.
 */
export async function connectNats(options: {
  /** `nats://[user:password@]host:port`, several comma-separated. */
  readonly url: string;
  readonly log: BusLog;
  /** Copies of the stream in a cluster. */
  readonly replicas?: number;
}): Promise<Bus> {
  const { log, replicas = 1 } = options;
  const link = await openLink(options.url, log);
  const publishing = createPublishing(link, replicas);
  let dropped = 0;
  const onDropped = () => void dropped++;
  const nudge = coalesce(() => link.current()?.publish(NUDGE_SUBJECT));

  return {
    ...publishing,
    consume: (consumption) => consumeStream(link, { replicas, log, onDropped }, consumption),
    async watch(onBatch) {
      // The publisher's own messages: the watcher must detect losses.
      const watched = subscribe(link, SUBJECT, async ({ data }) => {
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
