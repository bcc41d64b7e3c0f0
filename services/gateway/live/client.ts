import { randomBytes } from 'node:crypto';
import type { WebSocket } from '@fastify/websocket';
import { closeCodes, readClientMessage, type ServerMessage } from '@reelbook/contract/socket';
import type { Metrics } from '../metrics.ts';

/**
 * Maximum unsent bytes of all sockets of a process. A healthy socket has almost none and a slow one at most 256 KB, so 256
 * sockets may be slow at the same time. Node's objects take up to as much memory again; the kernel's buffers are not included.
 */
const UNSENT_MAX_BYTES = 64 * 1024 * 1024;
/** Sockets are closed down to this share: the next search then follows at least a quarter of the maximum later. */
const KEPT_SHARE = 0.75;

interface Queue {
  unsentBytes(): number;
  /** Closes the socket immediately, which frees its queue. */
  drop(): void;
}

interface Account {
  /** Reads the figure of the queue; called after each send. */
  update(): void;
  close(): void;
}

export interface Unsent {
  open(queue: Queue): Account;
  /** Reads all queues. @returns their unsent bytes, at most the maximum. */
  measure(): number;
}

/**
 * A running total, O(1) per send. Queues drain without notice, so it is never too low, but it may be too high: above the maximum
 * all queues are read, and if the total is above KEPT_SHARE, the longest queues are dropped.
 */
export function openUnsent(maxBytes = UNSENT_MAX_BYTES): Unsent {
  const queues = new Map<Account, Queue>();
  const counted = new Map<Account, number>();
  let total = 0;

  function count(account: Account, bytes: number): void {
    total += bytes - (counted.get(account) ?? 0);
    if (bytes === 0) counted.delete(account);
    else counted.set(account, bytes);
  }

  function readAll(): void {
    for (const account of [...counted.keys()])
      count(account, queues.get(account)?.unsentBytes() ?? 0);
  }

  function dropLongest(): void {
    readAll();
    const longestFirst = [...counted].sort(([, a], [, b]) => b - a);
    for (const [account] of longestFirst) {
      if (total <= maxBytes * KEPT_SHARE) return;
      queues.get(account)?.drop();
      account.close();
    }
  }

  return {
    open(queue) {
      const account: Account = {
        update() {
          if (!queues.has(account)) return;
          count(account, queue.unsentBytes());
          if (total > maxBytes) dropLongest();
        },
        close() {
          queues.delete(account);
          count(account, 0);
        },
      };
      queues.set(account, queue);
      return account;
    },
    measure() {
      readAll();
      if (total > maxBytes) dropLongest();
      return total;
    },
  };
}

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

type EndReason = keyof typeof closeCodes;

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
