import type { WebSocket } from '@fastify/websocket';
import type { Bus } from '@reelbook/event-store/bus/bus';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import type { Gateway } from '../context.ts';
import type { LiveSession, Sessions } from '../sessions.ts';
import { type Channel, type ChannelDeps, openChannel } from './channel.ts';
import { type Client, openClient, openUnsent } from './client.ts';

/**
 * The live channel. It follows only players that are connected to this process. Messages may be lost: after a reconnect of
 * the bus and every COMPARE_EVERY_MS it compares the pushed versions with the ledger and sends the difference.
 */
const SOCKETS_MAX = 20_000;
const SOCKETS_PER_PLAYER_MAX = 20;
/**
 * A tenth of SOCKETS_MAX, so that one address cannot lock out the others; enough for the players of one office or network
 * provider. Of clients at a trusted proxy, their own address counts.
 */
const SOCKETS_PER_ADDRESS_MAX = 2_000;
const COMPARE_EVERY_MS = 3_000;
/** Channels compared by one query. */
const COMPARE_BATCH = 1_000;
/** A socket that has not responded by the next ping is closed. */
const HEARTBEAT_EVERY_MS = 15_000;
/** Bounds the time for which a socket of an ended session stays open. */
const CHECK_SESSIONS_EVERY_MS = 1_000;
/** Sockets whose sessions one query checks. */
const CHECK_SESSIONS_BATCH = 2_000;

export interface PushDeps extends ChannelDeps, Pick<Gateway, 'live'> {
  readonly bus: Pick<Bus, 'onReconnect'>;
  readonly sessions: Sessions;
}

export interface Push {
  /** Accepts a new socket; a dead token closes it. */
  accept(
    socket: WebSocket,
    from: { readonly token: string | null; readonly address: string },
  ): void;
  /** Sends a message to every socket. */
  broadcast(text: string): void;
  close(): void;
}

export function openPush(deps: PushDeps): Push {
  const { bus, log, metrics, sessions } = deps;
  const { heartbeatMs = HEARTBEAT_EVERY_MS, socketsPerAddress = SOCKETS_PER_ADDRESS_MAX } =
    deps.live ?? {};
  const channels = new Map<string, Channel>();
  const clients = new Set<Client>();
  const identified = new Map<Client, LiveSession>();
  const addresses = createCounts();
  const unsent = openUnsent();

  function join(client: Client, wallet: string): void {
    const channel = channels.get(wallet) ?? openChannel(deps, wallet);
    channels.set(wallet, channel);
    channel.clients.add(client);
    endSurplus(channel.clients, identified);
    client.onSubscribe((from) => channel.subscribe(client, from));
  }

  function leave(client: Client, wallet: string | null): void {
    clients.delete(client);
    identified.delete(client);
    metrics.sockets.set(clients.size);
    const channel = wallet === null ? undefined : channels.get(wallet);
    if (!channel) return;
    channel.clients.delete(client);
    if (channel.clients.size > 0) return;
    channels.delete(channel.wallet);
    channel.close();
  }

  async function identify(client: Client): Promise<void> {
    try {
      const session = await sessions.findNow(client.token);
      if (!session) client.end('deadSession');
      else if (!client.ended()) {
        identified.set(client, session);
        client.onClose(() => leave(client, session.wallet));
        join(client, session.wallet);
      }
    } catch (error) {
      log.warn({ err: error }, 'a socket could not be identified');
      client.end('restart');
    }
  }

  async function compare(): Promise<void> {
    metrics.unsent.set(unsent.measure());
    const open = [...channels.values()].filter((channel) => channel.subscribed());
    for (let i = 0; i < open.length; i += COMPARE_BATCH) {
      await compareBatch(deps.pool, open.slice(i, i + COMPARE_BATCH));
    }
  }

  /** Waits for nothing: every socket has a complete interval to respond, however slow the database is. */
  function heartbeat(): void {
    for (const client of [...clients]) client.heartbeat();
  }

  const timers = [
    setInterval(oneAtATime(log, 'comparing pushes', compare), COMPARE_EVERY_MS).unref(),
    setInterval(
      oneAtATime(log, 'checking sessions', () => endDeadSessions(sessions, [...identified])),
      CHECK_SESSIONS_EVERY_MS,
    ).unref(),
    // After a stall of the event loop, setImmediate first reads the responses that arrived during it.
    setInterval(() => setImmediate(heartbeat), heartbeatMs).unref(),
  ];
  const reconnect = bus.onReconnect(oneAtATime(log, 'comparing pushes', compare));

  return {
    accept(socket, { token, address }) {
      const client = openClient({ socket, token, metrics, unsent });
      clients.add(client);
      metrics.sockets.set(clients.size);
      const ofAddress = addresses.add(address, 1);
      client.onClose(() => {
        addresses.add(address, -1);
        leave(client, null);
      });
      if (ofAddress > socketsPerAddress) client.end('tooMany');
      else if (clients.size > SOCKETS_MAX) client.end('restart');
      else void identify(client);
    },
    broadcast(text) {
      for (const channel of channels.values()) {
        for (const client of channel.clients) client.send(text);
      }
    },
    close() {
      for (const timer of timers) clearInterval(timer);
      reconnect.close();
      for (const client of [...clients]) client.end('restart');
    },
  };
}

async function endDeadSessions(
  sessions: Sessions,
  open: readonly (readonly [Client, LiveSession])[],
): Promise<void> {
  for (let i = 0; i < open.length; i += CHECK_SESSIONS_BATCH) {
    const batch = open.slice(i, i + CHECK_SESSIONS_BATCH);
    const ended = new Set(await sessions.findEnded(batch.map(([, session]) => session)));
    for (const [client, session] of batch) if (ended.has(session)) client.end('deadSession');
  }
}

/**
 * Ends a socket above the limit: the newest of the session that has the most, so that a stolen session cannot take the
 * places of the others. Among equal sessions it is the newest of all: they do not close each other's sockets in turn.
 */
function endSurplus(clients: Set<Client>, identified: ReadonlyMap<Client, LiveSession>): void {
  if (clients.size <= SOCKETS_PER_PLAYER_MAX) return;
  const sessionOf = (client: Client) => identified.get(client)?.name ?? '';
  const newestFirst = [...clients].reverse();
  const counts = new Map<string, number>();
  for (const client of newestFirst) {
    counts.set(sessionOf(client), (counts.get(sessionOf(client)) ?? 0) + 1);
  }
  const countOf = (client: Client) => counts.get(sessionOf(client)) ?? 0;
  const [surplus] = newestFirst.sort((a, b) => countOf(b) - countOf(a));
  if (!surplus) return;
  clients.delete(surplus);
  surplus.end('tooMany');
}

/** Open sockets by address. `add` returns the new number. */
function createCounts(): { add(address: string, difference: 1 | -1): number } {
  const counts = new Map<string, number>();
  return {
    add(address, difference) {
      const count = (counts.get(address) ?? 0) + difference;
      if (count === 0) counts.delete(address);
      else counts.set(address, count);
      return count;
    },
  };
}

/** Skips a run while the previous one is waiting for the database. */
function oneAtATime(log: Logger, name: string, act: () => Promise<void>): () => void {
  let isRunning = false;
  return () => {
    if (isRunning) return;
    isRunning = true;
    act()
      .catch((error: unknown) => log.warn({ err: error }, `${name} failed; will be retried`))
      .finally(() => {
        isRunning = false;
      });
  };
}

/** Wakes the channels whose stream is ahead of what they pushed. */
async function compareBatch(pool: pg.Pool, channels: readonly Channel[]): Promise<void> {
  const { rows } = await pool.query<{ name: string; version: number }>({
    name: 'compare-versions',
    text: `select name, version from streams
      where key in (select stream_key(name) from unnest($1::text[]) as wanted (name))`,
    values: [channels.map(({ stream }) => stream)],
  });
  const versions = new Map(rows.map(({ name, version }) => [name, version]));
  for (const channel of channels) channel.reach(versions.get(channel.stream) ?? 0);
}
