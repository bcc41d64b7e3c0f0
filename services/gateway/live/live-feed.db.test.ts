import {
  type Batch,
  type LedgerCommand,
  packBatches,
  readBatch,
} from '@reelbook/event-store/bus/bus';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { chainHash, GENESIS_HASH } from '@reelbook/event-store/hash-chain';
import { readLog } from '@reelbook/event-store/read-log';
import { playerStream } from '@reelbook/ledger/streams';
import { openLog } from '@reelbook/runtime/log';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { WAIT } from '@reelbook/testing/wait';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type LiveFeed, openLiveFeed } from './live-feed.ts';

const [anna, bert] = [walletOf(1), walletOf(2)];

let database: TestDatabase;
/** The ledger: the registration and two bets of anna, and the registration of bert. */
let ledger: readonly LedgerCommand[];
let hear: (batch: Batch) => Promise<boolean> | boolean;
let feed: LiveFeed;
const received = { anna: vi.fn(), bert: vi.fn() };
/** Number of hashes in each query. */
const queries: number[] = [];

beforeAll(async () => {
  database = await createDatabase();
  const history = createHistory();
  history.register(anna, 100_000n);
  history.bet(anna, 100n, 150n);
  history.register(bert);
  history.bet(anna, 100n, 0n);
  await history.appendTo(database.pool('app'));
  ledger = await readCommands();
  const bus = createInProcessBus();
  const watch: typeof bus.watch = (onBatch) => {
    hear = onBatch;
    return bus.watch(onBatch);
  };
  const log = openLog({ name: 'test', level: 'silent' });
  const pool = database.pool('app');
  const query = pool.query.bind(pool) as (config: { values: [readonly number[]] }) => unknown;
  pool.query = ((config: { values: [readonly number[]] }) => {
    queries.push(config.values[0].length);
    return query(config);
  }) as typeof pool.query;
  feed = await openLiveFeed({ pool, bus: { ...bus, watch }, log });
});
beforeEach(() => {
  received.anna.mockReset();
  received.bert.mockReset();
});
afterAll(async () => {
  feed.close();
  await database.drop();
});

async function readCommands(): Promise<LedgerCommand[]> {
  const events = await readLog(database.pool('app'), { from: 1, limit: 1_000 });
  const firsts = [...new Set(events.map(({ firstPosition }) => firstPosition))];
  return firsts.map((firstPosition) => {
    const own = events.filter((event) => event.firstPosition === firstPosition);
    return {
      stream: own[0]?.stream ?? '',
      firstPosition,
      bodies: own.map(({ body }) => body),
      previousHash: events[firstPosition - 2]?.hash ?? GENESIS_HASH,
      hash: own.at(-1)?.hash ?? '',
    };
  });
}

/** As received from the bus. */
function batchOf(commands: readonly LedgerCommand[]): Batch {
  const batch = readBatch(packBatches(commands)[0]?.payload ?? Buffer.alloc(0));
  if (!batch) throw new Error('a batch of ours can be read');
  return batch;
}

const commandsOf = (stream: string) => ledger.filter((command) => command.stream === stream);

test('delivers each command to its stream, as in the ledger', async () => {
  const [one, two] = [
    feed.follow(playerStream(anna), received.anna),
    feed.follow(playerStream(bert), received.bert),
  ];
  expect(await hear(batchOf(ledger))).toBe(true);
  expect(received.bert).toHaveBeenCalledOnce();
  const own = commandsOf(playerStream(anna));
  const handed = received.anna.mock.calls.map(([events]) => events);
  expect(handed.map((events) => events[0].firstPosition)).toEqual(
    own.map(({ firstPosition }) => firstPosition),
  );
  const versions = handed.flat().map(({ version }) => version);
  expect(versions).toEqual(versions.map((_, index) => index + 1));
  for (const following of [one, two]) following.close();
  expect(await hear(batchOf(ledger))).toBe(true);
  expect(received.bert).toHaveBeenCalledOnce();
});

test('batches that differ from the ledger are refused, even with a valid hash chain', async () => {
  const following = feed.follow(playerStream(anna), received.anna);
  const last = ledger.at(-1) as LedgerCommand;
  const forged = last.bodies.map((body) => body.replace(/"version":\d+/, '"version":999'));
  const rehash = (bodies: readonly string[], from: string) => bodies.reduce(chainHash, from);
  const head = last.firstPosition + last.bodies.length - 1;
  const refused = [
    // Another text than in the ledger.
    { ...last, bodies: forged },
    { ...last, bodies: forged, hash: rehash(forged, last.previousHash) },
    // An event that does not exist yet.
    {
      ...last,
      firstPosition: head + 1,
      bodies: forged,
      previousHash: last.hash,
      hash: rehash(forged, last.hash),
    },
    // Ledger texts at another position.
    { ...last, firstPosition: last.firstPosition + 1 },
    // Ledger texts under another player.
    { ...(commandsOf(playerStream(bert))[0] as LedgerCommand), stream: playerStream(anna) },
  ];
  for (const command of refused) expect(await hear(batchOf([command]))).toBe(false);
  expect(received.anna).not.toHaveBeenCalled();
  expect(await hear(batchOf([last]))).toBe(true);
  await vi.waitFor(() => expect(received.anna).toHaveBeenCalledOnce(), WAIT);
  following.close();
});

test('a batch without a followed stream is not compared with the ledger', async () => {
  const following = feed.follow(playerStream(bert), received.bert);
  const batch = batchOf(commandsOf(playerStream(anna)).slice(0, 1));
  const texts = vi.fn(batch.texts);
  expect(hear({ ...batch, texts })).toBe(true);
  expect(texts).not.toHaveBeenCalled();
  following.close();
});

test('batches that arrive during a query form the next query, together and in order', async () => {
  const following = feed.follow(playerStream(anna), received.anna);
  const own = commandsOf(playerStream(anna));
  const before = queries.length;
  const answers = own.map((command) => hear(batchOf([command])));
  expect(await Promise.all(answers)).toEqual(own.map(() => true));
  expect(queries.slice(before)).toEqual([1, own.length - 1]);
  expect(received.anna.mock.calls.map(([events]) => events[0].firstPosition)).toEqual(
    own.map(({ firstPosition }) => firstPosition),
  );
  following.close();
});

test.each(['its own', 'another'])(
  'a line that takes one command for two is refused, the second of %s stream',
  async (whose) => {
    const following = feed.follow(playerStream(anna), received.anna);
    const batch = batchOf(ledger.slice(-1));
    const { firstPosition, lastPosition, commands } = batch;
    expect(lastPosition).toBe(firstPosition + 1);
    const own = commands[0]?.stream ?? '';
    const streams = [own, whose === 'another' ? 'player-other' : own];
    const places = streams.map((stream, index) => {
      const position = firstPosition + index;
      return { stream, firstPosition: position, lastPosition: position };
    });
    expect(await hear({ ...batch, commands: places })).toBe(false);
    expect(received.anna).not.toHaveBeenCalled();
    following.close();
  },
);

test('a command that is too large for the bus is read from its stream', async () => {
  const following = feed.follow(playerStream(anna), received.anna);
  const batch = batchOf(ledger.slice(-1));
  expect(await hear({ ...batch, texts: () => [] })).toBe(true);
  expect(received.anna).toHaveBeenCalledExactlyOnceWith([]);
  following.close();
});
