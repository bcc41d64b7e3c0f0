import { type ConnectionOptions, connect, type JetStreamManager, type NatsConnection } from 'nats';
import type { BusLog, Closable } from './bus.ts';

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
  /** Whether the stream was seen over this link: if it is missing after that, it was deleted. */
  readonly seen: { stream: boolean };
  close(): Promise<void>;
}

/** Resolves after the first attempt, whether or not it succeeded. `url` may name several servers, comma-separated. */
export async function openLink(url: string, log: BusLog): Promise<Link> {
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
export function pause(timeoutMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, timeoutMs);
    signal.addEventListener('abort', done);
  });
}
