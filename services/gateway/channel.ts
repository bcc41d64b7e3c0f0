import type { Closable, CommandMessage } from '@reelbook/bus/bus';
import { USER_CHANNEL } from '@reelbook/contract/socket';
import { readStream } from '@reelbook/event-store/read-stream';
import { readBody } from '@reelbook/ledger/body';
import type { AnyEvent, PlacedEvent } from '@reelbook/ledger/events';
import { balancesAfter } from '@reelbook/ledger/invariants';
import { playerStream } from '@reelbook/ledger/streams';
import { balancesAnswer, betAnswer } from './answers.ts';
import { type Client, encodeMessage } from './client.ts';
import type { PushDeps } from './push.ts';
import { readBalances } from './reads.ts';

/** Messages of one player that may wait while the book is read; more are dropped and read from the book. */
const WAITING_MAX = 256;
/** Events sent one by one to sockets that missed them; beyond, only the balances of now. */
const CATCH_UP_MAX = 512;

/**
 * What one player's sockets are told. All work stands in one chain, so pushes leave in the order of the stream, each
 * at most once: `version` is how far the sockets were told, and nothing at or below it is sent again.
 */
export interface Channel {
  readonly wallet: string;
  readonly stream: string;
  readonly clients: Set<Client>;
  /** Tells a socket the balances of now, and from then on everything after. */
  subscribe(client: Client): void;
  subscribed(): boolean;
  /** The stream is known to have come to `version`: reads what is missing. */
  reach(version: number): void;
  close(): void;
}

export function openChannel(deps: PushDeps, wallet: string): Channel {
  const { pool, bus, log } = deps;
  const stream = playerStream(wallet);
  const clients = new Set<Client>();
  let version = 0;
  let waiting = 0;
  let closed = false;
  let watch: Closable | null = null;
  // Watched before the first balances are read: what is appended in between is heard or read, never neither.
  let chain = bus.watch({ kind: 'player', id: wallet, onMessage: hear }).then(
    (opened) => {
      watch = opened;
      if (closed) watch.close();
    },
    (error: unknown) => log.warn({ err: error }, 'a player is not followed; the book is compared'),
  );

  function queue(act: () => Promise<void> | void): void {
    waiting++;
    chain = chain
      .then(act)
      .catch((error: unknown) => log.warn({ err: error }, 'a push failed; the book is compared'))
      .finally(() => {
        waiting--;
      });
  }

  function hear(message: CommandMessage): void {
    if (waiting < WAITING_MAX) queue(() => deliver(message));
  }

  const subscribed = () => [...clients].some((client) => client.version !== null);

  async function deliver(message: CommandMessage): Promise<void> {
    if (!subscribed() || message.lastVersion <= version) return;
    if (message.firstVersion !== version + 1 || message.bodies.length === 0) return catchUp();
    push(message.bodies.map((body) => read(body, message.firstPosition)));
  }

  async function catchUp(): Promise<void> {
    const events = await readStream(pool, {
      stream,
      fromVersion: version + 1,
      limit: CATCH_UP_MAX,
    });
    if (events.length === CATCH_UP_MAX) return tellBalances();
    for (const command of commandsOf(events)) push(command);
  }

  /** Too much was missed to tell it all: the history has it. */
  async function tellBalances(): Promise<void> {
    const balances = await readBalances(deps, wallet);
    send(balances.stream_version, [encodeMessage('balance_updated', balances)]);
  }

  function push(command: readonly PlacedEvent[]): void {
    const last = command.at(-1);
    if (last) send(last.version, messagesOf(command, deps));
  }

  function send(to: number, messages: readonly string[]): void {
    version = Math.max(version, to);
    for (const client of clients) {
      if (client.version === null || client.version >= to) continue;
      client.version = to;
      for (const message of messages) client.send(message);
    }
  }

  return {
    wallet,
    stream,
    clients,
    subscribe(client) {
      queue(async () => {
        if (!clients.has(client)) return;
        const balances = await readBalances(deps, wallet);
        const told = { channel: USER_CHANNEL, ...balances } as const;
        if (!subscribed()) version = balances.stream_version;
        client.version = Math.max(client.version ?? 0, balances.stream_version);
        client.send(encodeMessage('subscribed', told));
      });
    },
    subscribed,
    reach(to) {
      if (to > version && waiting < WAITING_MAX) queue(catchUp);
    },
    close() {
      closed = true;
      watch?.close();
    },
  };
}

/** What the sockets of a player are told of one command. */
function messagesOf(
  command: readonly PlacedEvent[],
  { metrics }: Pick<PushDeps, 'metrics'>,
): readonly string[] {
  const messages: string[] = [];
  const result = betAnswer(command);
  if (result) {
    messages.push(encodeMessage('game_result', result));
    metrics.pushes.inc({ type: 'game_result' });
  }
  const last = command.at(-1);
  const after = command.map(({ event }) => balancesAfter(event)).findLast((owned) => owned);
  if (last && after) {
    messages.push(encodeMessage('balance_updated', balancesAnswer(after, last)));
    metrics.pushes.inc({ type: 'balance_updated' });
  }
  return messages;
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

function read(body: string, firstPosition: number): PlacedEvent {
  const { type, data, ...place } = readBody(body);
  return { ...place, firstPosition, event: { type, data } as AnyEvent };
}
