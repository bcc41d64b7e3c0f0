import { USER_CHANNEL } from '@reelbook/contract/socket';
import { readStream } from '@reelbook/event-store/read-stream';
import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { balancesAfter } from '@reelbook/ledger/invariants';
import { notificationOf } from '@reelbook/ledger/player/notice-facts';
import { unreadOf } from '@reelbook/ledger/player/notices';
import { playerStream } from '@reelbook/ledger/streams';
import type { Logger } from '@reelbook/runtime/log';
import type pg from 'pg';
import { balancesAnswer, noticeAnswer } from '../answers/player.ts';
import { resultAnswer } from '../answers/rounds.ts';
import { exchangeAnswer, paymentUpdate } from '../answers/wallet.ts';
import type { Gateway } from '../context.ts';
import type { Metrics } from '../metrics.ts';
import { withDestinations } from '../reads/account.ts';
import { readPlayer } from '../reads/player.ts';
import { type Client, encodeMessage } from './client.ts';
import type { LiveFeed } from './live-feed.ts';

/** Messages of the live channel, encoded once for all sockets of a player. */
interface PushMessage {
  readonly type: 'game_result' | 'transaction_updated' | 'balance_updated' | 'notification';
  readonly text: string;
}

/** Push messages of one command. Every message contains the version of the stream. */
async function messagesOf(
  events: readonly PlacedEvent[],
  { games, commitments, pool }: Pick<Gateway, 'games' | 'commitments' | 'pool'>,
): Promise<readonly PushMessage[]> {
  const command = events.filter(({ event }) => isVisibleToPlayer(event));
  const messages: PushMessage[] = [];
  const result = resultAnswer(command, { games, seeds: await commitments.of(command) });
  if (result) messages.push(message('game_result', result));
  const exchange = exchangeAnswer(command);
  if (exchange) {
    const { position: id } = exchange;
    const seen = { id, type: 'exchange', status: 'completed', ...exchange } as const;
    messages.push(message('transaction_updated', seen));
  }
  for (const placed of command) {
    const update = paymentUpdate(placed);
    if (update) messages.push(message('transaction_updated', update));
  }
  const last = command.at(-1);
  const after = command.map(({ event }) => balancesAfter(event)).findLast((owned) => owned);
  if (last && after) messages.push(message('balance_updated', balancesAnswer(after, last)));
  for (const placed of command) messages.push(...(await notificationsOf(pool, placed)));
  return messages;
}

async function notificationsOf(
  pool: Gateway['pool'],
  { event, position, version }: PlacedEvent,
): Promise<readonly PushMessage[]> {
  if (event.type === 'NotificationsRead') return [unread(event.data.unread, version)];
  const notification = notificationOf(event);
  if (!notification) return [];
  const [named = notification] = await withDestinations({ pool }, [notification]);
  const shown = { ...noticeAnswer(named), id: position, unread_count: notification.unread };
  return [message('notification', { ...shown, stream_version: version })];
}

/** A message with only the new unread count. */
function unread(unread_count: number, stream_version: number): PushMessage {
  const empty = {
    type: 'unread',
    id: null,
    kind: 'unread',
    facts: {},
    title: '',
    content: '',
  } as const;
  return message('notification', { ...empty, unread_count, stream_version });
}

type Player = Awaited<ReturnType<typeof readPlayer>>;

/** The current state of a player, for sockets that missed too many events. */
function currentMessages(player: Player): readonly PushMessage[] {
  return [
    message('balance_updated', balancesAnswer(player.state, player)),
    unread(unreadOf(player.state), player.version),
  ];
}

/** The response to a subscription. */
function subscribedText(player: Player, resumed: boolean): string {
  return encodeMessage('subscribed', {
    channel: USER_CHANNEL,
    unread_count: unreadOf(player.state),
    resumed,
    ...balancesAnswer(player.state, player),
  });
}

function message<Type extends PushMessage['type']>(
  type: Type,
  data: Parameters<typeof encodeMessage<Type>>[1],
): PushMessage {
  return { type, text: encodeMessage(type, data) };
}

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
