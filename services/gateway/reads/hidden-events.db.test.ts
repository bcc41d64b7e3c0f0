/** Hidden events of operators never reach the player, on any route or socket. */
import { randomUUID } from 'node:crypto';
import type { LedgerEntry } from '@reelbook/contract/player/public';
import { routes } from '@reelbook/contract/player/routes';
import { API_BASE, type Route } from '@reelbook/contract/route';
import { type CommandExecutor, startExecutor } from '@reelbook/event-store/execute';
import { assert } from '@reelbook/ledger/assert';
import type { Decider } from '@reelbook/ledger/decider';
import { EVENT_TYPES, type EventType, isVisibleToPlayer } from '@reelbook/ledger/event-types';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerEvent } from '@reelbook/ledger/player/events';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
  type TestSocket,
} from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { goldenStreams } from '@reelbook/testing/golden';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const hidden = (Object.keys(EVENT_TYPES) as EventType[]).filter(
  (type) => EVENT_TYPES[type] === 'player' && !isVisibleToPlayer({ type }),
);
/** Unique texts: wallets, reasons, notes. */
const TEXT_MIN = 8;
const operator = `operator:${createWallet(1).address}`;
const reason = 'a reason that its player may read';

/** Appends an event without a decider. */
const verbatim: Decider<PlayerState, PlayerEvent, PlayerEvent> = {
  ...playerDecider,
  decide: (_, event) => [event],
};

let site: TestSite;
let executor: CommandExecutor;
beforeAll(async () => {
  site = await startSite();
  executor = startExecutor({ pool: site.pool, onAppended: () => site.bus.nudge() });
});
afterAll(async () => {
  await executor.close();
  await site.close();
});

/** @returns the position of the event. */
async function write<Command>(
  player: TestPlayer,
  decider: Decider<PlayerState, Command, PlayerEvent>,
  command: Command,
): Promise<number> {
  const executed = await executor.execute({
    decider,
    stream: playerStream(player.wallet.address),
    idempotencyKey: `test:${randomUUID()}`,
    request: null,
    meta: { correlation: 'test', actor: operator },
    prepare: async () => ({ command, configVersion: null }),
  });
  assert(executed.kind === 'done', `the command is ${executed.kind}`);
  return executed.position;
}

/** Queries that a route requires. */
const QUERIES: Readonly<Record<string, string>> = { statementFile: '?format=csv' };

async function answerTo({ token }: TestPlayer, path: string) {
  const headers = { authorization: `Bearer ${token}` };
  const answer = await fetch(`${site.url}${API_BASE}${path}`, { headers });
  return { status: answer.status, text: await answer.text() };
}

/** Responses of all read routes to the player, by name; the new session is the last. */
async function answersTo(player: TestPlayer, params: Readonly<Record<string, string>>) {
  const reading = (Object.entries(routes) as [string, Route][]).filter(
    ([name, { method }]) => method === 'GET' && name !== 'refresh',
  );
  const answers: { name: string; status: number; text: string }[] = [];
  for (const [name, { path }] of [...reading, ['refresh', routes.refresh] as const]) {
    const filled = path.replace(/:(\w+)/g, (_, key: string) => {
      assert(params[key], `a value for :${key} of ${name}`);
      return params[key];
    });
    answers.push({ name, ...(await answerTo(player, `${filled}${QUERIES[name] ?? ''}`)) });
  }
  return answers;
}

async function resumed(player: TestPlayer, stream_version: number): Promise<TestSocket> {
  const socket = await openSocket(site.url, player.token, { subscribe: false });
  socket.send({ type: 'subscribe', data: { channel: 'user_events', stream_version } });
  expect(await socket.receive('subscribed')).toMatchObject({ resumed: true });
  return socket;
}

function sampleOf(type: EventType): PlayerEvent {
  const sample = goldenStreams.flatMap(({ events }) => events).find((one) => one.type === type);
  assert(sample, `a golden stream has a ${type}`);
  return sample as PlayerEvent;
}

test('there are hidden event types', () => {
  expect(hidden).toContain('PlayerNoted');
});

test.each(hidden)('%s reaches its player by no route and no socket', async (type) => {
  const player = await site.login();
  const live = await openSocket(site.url, player.token);
  const { stream_version } = await live.receive('subscribed');
  const bet = await player.call<{ round_id: string }>('/game/slot-machine/bet', {
    body: { bet_amount: 5 },
  });
  await player.call('/fairness/rotate', { body: {} });
  const event = sampleOf(type);
  const position = await write(player, verbatim, event);
  const seen = await write(player, playerDecider, { type: 'SuspendPlayer', by: operator, reason });
  await live.receive('notification', ({ kind }) => kind === 'suspended');
  await untilCaughtUp(site.pool);
  const again = await resumed(player, Number(stream_version));
  const params = {
    round_id: bet.data.round_id,
    pair: '1',
    game: 'tetris',
    board: 'wins',
    key: randomUUID(),
    position: String(position),
    id: 'none-w1',
  };
  const answers = await answersTo(player, params);
  const sent = [live, again].map(({ messages }) => JSON.stringify(messages));
  live.close();
  again.close();

  const secrets = [type, ...textsIn(event.data)];
  const texts = [...answers.map(({ text }) => text), ...sent];
  expect(secrets.filter((one) => texts.some((text) => text.includes(one)))).toEqual([]);
  const refused = answers.filter(({ status }) => status !== 200).map(({ name }) => name);
  // A shared round is a won one, and the draw decides.
  expect(refused.filter((name) => name !== 'sharedRound')).toEqual(['payment', 'event']);

  // The same routes and sockets show the visible events, so the check works.
  const other = await site.login(player.wallet);
  const proof = await other.call<{ body: string }>(`/user/events/${seen}`);
  expect(proof.data.body).toContain(reason);
  const carrying = answers.filter(({ text }) => text.includes(reason)).map(({ name }) => name);
  expect(carrying).toEqual(['notifications', 'ownData']);
  expect(sent.map((text) => text.includes(reason))).toEqual([true, true]);
});

test.each(hidden)('%s was named by its position, as the last event of its player', async (type) => {
  const player = await site.login();
  const { data: before } = await player.call<{ position: number }>('/user/balance');
  for (let n = 0; n < 3; n++) await write(player, verbatim, sampleOf(type));
  const socket = await openSocket(site.url, player.token);
  expect(await socket.receive('subscribed')).toMatchObject({ position: before.position });
  socket.close();
  for (const path of ['/user/balance', '/user/protection']) {
    const { data } = await player.call<{ position: number }>(path);
    expect([path, data.position]).toEqual([path, before.position]);
  }
  expect((await player.call(`/user/events/${before.position}`)).status).toBe(200);
});

test.each(hidden)(
  '%s is an event of the site among the newest, also to its player',
  async (type) => {
    const player = await site.login();
    const position = await write(player, verbatim, sampleOf(type));
    const entry = await vi.waitFor(async () => {
      const { data } = await player.call<LedgerEntry[]>('/user/ledger/latest');
      const found = data.find((one) => one.position === position);
      assert(found, 'the reading has the event');
      return found;
    }, WAIT);
    expect(entry).toMatchObject({ kind: 'site', game: null, own: false });
    const visitors = await (await fetch(`${site.url}${API_BASE}/ledger/latest`)).json();
    expect(visitors.data).toContainEqual(entry);
  },
);

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < TEXT_MIN ? [] : [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}
