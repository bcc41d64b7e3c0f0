import { randomBytes } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { closeCodes, readClientMessage, type ServerMessage } from '@reelbook/contract/socket';
import type { Metrics } from '../metrics.ts';
import type { Unsent } from './unsent.ts';

/** Maximum unsent bytes of a socket; a slower reader is closed and may reconnect. */
const QUEUE_MAX_BYTES = 256 * 1024;
/** Maximum messages, pings and unexpected pongs from a socket per window. */
const MESSAGES_MAX = 60;
const MESSAGES_WINDOW_MS = 10_000;
/** Time limit of the close handshake. */
const CLOSE_TIMEOUT_MS = 3_000;
/** Random, so that a client that does not read cannot respond to a ping. */
const PING_BYTES = 8;
/** Standard code of a connection that ends without a close message. */
const ABNORMAL_CLOSURE = 1006;

export type EndReason = keyof typeof closeCodes;

/** One socket of a player. */
export interface Client {
  readonly token: string;
  /** Last stream version sent; null before it subscribes. Nothing older is sent. */
  version: number | null;
  send(text: string): void;
  end(reason: EndReason): void;
  ended(): boolean;
  onClose(handler: () => void): void;
  /** Calls `handler` for each subscription, also an earlier one, with the version to resume from. */
  onSubscribe(handler: (from: number | null) => void): void;
  /** Ends a socket that did not return the random bytes of the previous ping; else pings again. */
  heartbeat(): void;
}

export function openClient(options: {
  readonly socket: WebSocket;
  readonly token: string | null;
  readonly metrics: Pick<Metrics, 'closed'>;
  readonly unsent: Unsent;
}): Client {
  const { socket, metrics } = options;
  /** The bytes of the ping without response. */
  let pinged: Buffer | null = null;
  let ended = false;
  let subscribe: ((from: number | null) => void) | null = null;
  let requested: { readonly from: number | null } | null = null;
  let windowStart = Date.now();
  let count = 0;

  function tooMany(): boolean {
    const now = Date.now();
    if (now - windowStart > MESSAGES_WINDOW_MS) {
      windowStart = now;
      count = 0;
    }
    count++;
    return count > MESSAGES_MAX;
  }

  /** Without a close message, which a client that does not read would not receive. */
  function drop(reason: 'unanswered' | 'memory'): void {
    if (!ended) metrics.closed.inc({ code: ABNORMAL_CLOSURE, reason });
    ended = true;
    socket.terminate();
  }

  const account = options.unsent.open({
    unsentBytes: () => socket.bufferedAmount,
    drop: () => drop('memory'),
  });

  const client: Client = {
    token: options.token ?? '',
    version: null,
    send(text) {
      if (ended) return;
      if (socket.bufferedAmount > QUEUE_MAX_BYTES) return client.end('tooSlow');
      socket.send(text);
      account.update();
    },
    end(reason) {
      if (ended) return;
      ended = true;
      metrics.closed.inc({ code: closeCodes[reason], reason });
      socket.close(closeCodes[reason], reason);
      const timeout = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS).unref();
      socket.once('close', () => clearTimeout(timeout));
    },
    ended: () => ended,
    onClose: (handler) => void socket.once('close', handler),
    onSubscribe(handler) {
      subscribe = handler;
      if (requested) handler(requested.from);
    },
    heartbeat() {
      if (ended) return;
      if (pinged) return drop('unanswered');
      pinged = randomBytes(PING_BYTES);
      socket.ping(pinged);
    },
  };

  socket.on('pong', (data) => {
    if (pinged?.equals(data)) pinged = null;
    else if (tooMany()) client.end('tooMany');
  });
  // The library would respond without limit, also to a client that does not read.
  socket.on('ping', (data) => {
    if (tooMany()) client.end('tooMany');
    else if (!ended) socket.pong(data);
  });
  socket.on('close', () => {
    ended = true;
    account.close();
  });
  // After a protocol error the library closes the socket.
  socket.on('error', () => {});
  socket.on('message', (data) => {
    if (tooMany()) return client.end('tooMany');
    const message = readClientMessage(String(data));
    if (!message) {
      const problem = 'send a ping or a subscription to user_events, as JSON';
      client.send(encodeMessage('error', { error: 'bad-input', message: problem }));
    } else if (message.type === 'ping') {
      client.send(encodeMessage('pong', {}));
    } else {
      requested = message;
      subscribe?.(message.from);
    }
  });
  return client;
}

export function encodeMessage<Type extends ServerMessage['type']>(
  type: Type,
  data: Extract<ServerMessage, { type: Type }>['data'],
): string {
  return JSON.stringify({ type, data, timestamp: Date.now() });
}
