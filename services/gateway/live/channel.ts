import { readStream } from '@reelbook/event-store/read-stream';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { playerStream } from '@reelbook/ledger/streams';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import type { Gateway } from '../context.ts';
import type { Metrics } from '../metrics.ts';
import { readPlayer } from '../reads/player.ts';
import type { Client } from './client.ts';
import type { LiveFeed } from './live-feed.ts';
import { currentMessages, messagesOf, type PushMessage, subscribedText } from './push-messages.ts';

/** Maximum queued commands per player; further ones are dropped and later read from the ledger. */
const WAITING_MAX = 256;
/** Maximum missed events sent one by one; beyond that, only the current balances are sent. */
const CATCH_UP_MAX = 512;
/** Maximum events sent to a resuming socket; they fit its queue. */
const RESUME_MAX = 256;

export interface ChannelDeps extends Pick<Gateway, 'games' | 'commitments'> {
  readonly pool: pg.Pool;
  readonly feed: LiveFeed;
  readonly log: Logger;
  readonly metrics: Metrics;
}

/**
 * Pushes to the sockets of one player. One promise chain serialises the work, so that pushes follow the order of the
 * stream, each at most once: `version` is the last version sent, and nothing at or below it is sent again.
 */
export interface Channel {
  readonly wallet: string;
  readonly stream: string;
  readonly clients: Set<Client>;
  /**
   * Sends the current balances to a socket, and every later event. A socket that sends its last version gets the missed
   * events first, up to RESUME_MAX.
   */
  subscribe(client: Client, from: number | null): void;
  subscribed(): boolean;
  /** Reads missing events if the stream is beyond the last version sent. */
  reach(version: number): void;
  close(): void;
}

export function openChannel(deps: ChannelDeps, wallet: string): Channel {
  const { pool, log } = deps;
  const stream = playerStream(wallet);
  const clients = new Set<Client>();
  let version = 0;
  let waiting = 0;
  // Subscribed before the first balances are read, so that no event in between is missed.
  const following = deps.feed.follow(stream, onCommand);
  let chain = Promise.resolve();

  function queue(act: () => Promise<void> | void): void {
    waiting++;
    chain = chain
      .then(act)
      .catch((error: unknown) =>
        log.warn({ err: error }, 'push failed; the next comparison with the ledger sends it'),
      )
      .finally(() => {
        waiting--;
      });
  }

  function onCommand(command: readonly PlacedEvent[]): void {
    if (waiting < WAITING_MAX) queue(() => deliver(command));
  }

  const subscribed = () => [...clients].some((client) => client.version !== null);

  async function deliver(command: readonly PlacedEvent[]): Promise<void> {
    const last = command.at(-1)?.version ?? Number.POSITIVE_INFINITY;
    if (!subscribed() || last <= version) return;
    if (command[0]?.version !== version + 1) return catchUp();
    await push(command);
  }

  async function catchUp(): Promise<void> {
    const events = await readStream(pool, {
      stream,
      fromVersion: version + 1,
      limit: CATCH_UP_MAX,
    });
    if (events.length === CATCH_UP_MAX) return sendCurrent();
    for (const command of commandsOf(events)) await push(command);
  }

  /** Too many events were missed: sends only the current state. */
  async function sendCurrent(): Promise<void> {
    const player = await readPlayer(deps, wallet);
    send(player.version, currentMessages(player));
  }

  async function push(command: readonly PlacedEvent[]): Promise<void> {
    const last = command.at(-1);
    if (last) send(last.version, await messagesOf(command, deps));
  }

  function send(to: number, messages: readonly PushMessage[]): void {
    version = Math.max(version, to);
    for (const { type } of messages) deps.metrics.pushes.inc({ type });
    for (const client of clients) {
      if (client.version === null || client.version >= to) continue;
      client.version = to;
      for (const { text } of messages) client.send(text);
    }
  }

  async function admit(client: Client, from: number | null): Promise<void> {
    const player = await readPlayer(deps, wallet);
    const resumes = from !== null && client.version === null;
    const missed = resumes ? await readMissed(deps, { stream, from, to: player.version }) : null;
    if (!clients.has(client)) return;
    if (!subscribed()) version = player.version;
    client.version = Math.max(client.version ?? 0, player.version);
    for (const { text } of missed ?? []) client.send(text);
    client.send(subscribedText(player, missed !== null));
  }

  return {
    wallet,
    stream,
    clients,
    subscribe(client, from) {
      if (waiting >= WAITING_MAX) return client.end('restart');
      queue(() => admit(client, from).catch((error) => refuse(log, client, error)));
    },
    subscribed,
    reach(to) {
      if (to > version && waiting < WAITING_MAX) queue(catchUp);
    },
    close: () => following.close(),
  };
}

/** Closes a socket whose subscription failed, so that the client reconnects. */
function refuse(log: Logger, client: Client, error: unknown): void {
  log.warn({ err: error }, 'subscription failed; socket closed');
  client.end('restart');
}

/** Messages of the versions after `from` up to `to`; null if there are too many or `from` is invalid. */
async function readMissed(
  deps: ChannelDeps,
  options: { readonly stream: string; readonly from: number; readonly to: number },
): Promise<readonly PushMessage[] | null> {
  const { stream, from, to } = options;
  if (from > to || to - from > RESUME_MAX) return null;
  const events = await readStream(deps.pool, { stream, fromVersion: from + 1, limit: RESUME_MAX });
  const missed = commandsOf(events.filter(({ version }) => version <= to));
  return (await Promise.all([...missed].map((command) => messagesOf(command, deps)))).flat();
}

function commandsOf(events: readonly PlacedEvent[]): Iterable<PlacedEvent[]> {
  const commands = new Map<number, PlacedEvent[]>();
  for (const event of events) {
    const command = commands.get(event.firstPosition);
    if (command) command.push(event);
    else commands.set(event.firstPosition, [event]);
  }
  return commands.values();
}
