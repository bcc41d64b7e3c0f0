import type { Msg, NatsConnection, Subscription } from 'nats';
import type { Bus, BusLog, Closable } from './bus.ts';
import { decodeMessage, subjectOf } from './message.ts';
import { consumeStream } from './nats-consume.ts';
import { type Link, openLink } from './nats-link.ts';
import { createPublishing } from './nats-publish.ts';
import { headerOf } from './nats-stream.ts';

/** Outside the stream's subjects: a nudge is worth nothing later. */
const NUDGE_SUBJECT = 'nudge';
/** Nudges within this time are one. */
const NUDGE_INTERVAL_MS = 1;

/**
 * The bus over NATS JetStream, server 2.9 or newer. Resolves also while the server is away: everything that waits for
 * it then begins when it comes, and `publish` throws meanwhile.
 */
export async function connectNats(o: {
  /** `nats://[user:password@]host:port`, several comma-separated. */
  readonly url: string;
  readonly log: BusLog;
  /** Copies of the stream in a cluster. */
  readonly replicas?: number;
}): Promise<Bus> {
  const { log, replicas = 1 } = o;
  const link = await openLink(o.url, log);
  const publishing = createPublishing(link, replicas);
  let nudgeQueued = false;

  return {
    ...publishing,
    consume: (consumption) => consumeStream(link, { replicas, log }, consumption),
    async watch({ kind, id, onMessage }) {
      // The publisher's own messages, as they pass: no consumer a player, and what is lost is the gateway's to find.
      const watched = subscribe(link, subjectOf({ kind, id }), (raw) => {
        const { subject, data: payload } = raw;
        const message = decodeMessage({ subject, header: headerOf(raw.headers), payload });
        if (message) onMessage(message);
      });
      // So that whoever looks at the tip after this misses nothing in between. Away: `onReconnect` will tell.
      await link
        .current()
        ?.flush()
        .catch(() => {});
      return watched;
    },
    nudge() {
      if (nudgeQueued) return;
      nudgeQueued = true;
      setTimeout(() => {
        nudgeQueued = false;
        link.current()?.publish(NUDGE_SUBJECT);
      }, NUDGE_INTERVAL_MS).unref();
    },
    onNudge: (handler) => subscribe(link, NUDGE_SUBJECT, () => handler()),
    onReconnect: (handler) => link.onReconnect(handler),
    healthy: () => link.current() !== null,
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
