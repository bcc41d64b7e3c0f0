import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { startProjecting } from '@reelbook/testing/projecting';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ExplorerFilter } from './filter.ts';
import { entries, movedBy } from './projection.ts';
import { readExplorer } from './read.ts';
import { findHashes, readPositionAt } from './seek.ts';

const anna = walletOf(1);
const bert = walletOf(2);
const COMMAND = 'ab'.repeat(16);

let database: TestDatabase;
let db: pg.Pool;
let events: readonly RecordedEvent[];

beforeAll(async () => {
  database = await createDatabase();
  db = database.pool('app');
  const projecting = await startProjecting(database, entries);
  const history = createHistory();
  history.register(anna);
  history.register(bert);
  for (let i = 0; i < 30; i++) {
    history.bet(i % 3 === 0 ? bert : anna, BigInt(100 + 100 * (i % 4)), BigInt((i % 5) * 50));
    if (i % 7 === 0) history.exchange(anna, 'points', BigInt(100 * (i + 1)));
    if (i % 10 === 0) history.setBigWinMultiple(2 + i);
  }
  history.rename(bert, 'Bertie');
  events = history.recorded().map((event) => {
    const meta = metaOf(event);
    if (event.position !== event.firstPosition) return { ...event, meta };
    return { ...event, meta, body: JSON.stringify({ ...JSON.parse(event.body), meta }) };
  });
  await projecting.applyInBatches(events, 13);
  await database
    .pool('owner')
    .query('insert into idempotency_keys (key, request_hash, position) values ($1::uuid, $2, $3)', [
      COMMAND,
      Buffer.alloc(32),
      6,
    ]);
});
afterAll(() => database.drop());

/** Of its command. */
function metaOf({ firstPosition: position, stream }: RecordedEvent) {
  const player = stream.replace('player-', 'player:');
  return {
    command: position === 6 ? COMMAND : 'c'.repeat(32),
    correlation: `request ${Math.floor(position / 4)}`,
    actor: position % 9 === 0 || stream === 'config' ? 'operator:otto' : player,
  };
}

async function positionsOf(filter: ExplorerFilter): Promise<readonly number[]> {
  const { entries: found, next } = await readExplorer(db, { filter, limit: 500 });
  expect(next).toBeNull();
  return found.map(({ position }) => position);
}

function toEntry({ event, stream, position, meta }: RecordedEvent) {
  const { kind, id } = parseStream(stream);
  const { type, data } = event;
  const { game = null, round = null, rules = null } = data as Readonly<Record<string, unknown>>;
  const wallet = kind === 'player' ? id : null;
  return { position, type, kind, wallet, game, round, rules, ...movedBy(event, id), ...meta };
}

type Entry = ReturnType<typeof toEntry>;
const magnitude = (amount: bigint | null) => (amount !== null && amount < 0n ? -amount : amount);
const timeOf = (position: number) => events[position - 1]?.time ?? '';

test.each<[ExplorerFilter, (entry: Entry) => boolean]>([
  [{}, () => true],
  [{ types: ['BetWon', 'Exchanged'] }, ({ type }) => type === 'BetWon' || type === 'Exchanged'],
  [{ kind: 'config' }, ({ kind }) => kind === 'config'],
  [{ wallet: bert }, ({ wallet }) => wallet === bert],
  [{ publicId: 'id1' }, ({ wallet }) => wallet === anna],
  [{ publicId: 'unknown' }, () => false],
  [{ asset: 'token' }, ({ tokenMinor }) => tokenMinor !== null],
  [
    { asset: 'points', amount: { minMinor: 200n, maxMinor: 300n } },
    ({ pointsMinor }) => [200n, 300n].includes(magnitude(pointsMinor) ?? 0n),
  ],
  [
    { asset: 'token', amount: { minMinor: 80_000_000n, maxMinor: 80_000_000n } },
    ({ tokenMinor }) => tokenMinor === 80_000_000n,
  ],
  [
    { asset: 'points', amount: { minMinor: 1_000n } },
    ({ pointsMinor }) => (magnitude(pointsMinor) ?? 0n) >= 1_000n,
  ],
  [{ game: 'slot-machine', wallet: anna }, ({ game, wallet }) => game !== null && wallet === anna],
  [{ round: 'id2-3' }, ({ round }) => round === 'id2-3'],
  [{ round: 'id2-999' }, () => false],
  [{ round: 'id1-1', game: 'snake' }, () => false],
  [{ rules: 'slot-1' }, ({ rules }) => rules === 'slot-1'],
  [{ rules: 'slot-9' }, () => false],
  [{ correlation: 'request 5' }, ({ correlation }) => correlation === 'request 5'],
  [{ command: COMMAND }, ({ command }) => command === COMMAND],
  [{ command: 'd'.repeat(32) }, () => false],
  [{ actor: 'operator:otto' }, ({ actor }) => actor === 'operator:otto'],
  [{ actor: `player:${anna}` }, ({ actor }) => actor === `player:${anna}`],
  [
    { fromPosition: 10, toPosition: 12, kind: 'player' },
    ({ position, kind }) => position >= 10 && position <= 12 && kind === 'player',
  ],
])('%o', async (filter, matches) => {
  const expected = events.map(toEntry).filter(matches);
  expect(await positionsOf(filter)).toEqual(expected.map(({ position }) => position).reverse());
});

test('an event is found by its complete hash only', async () => {
  const { hash = '' } = events[20] ?? {};
  const found = (start: string, end = '') => findHashes(db, { start, end, limit: 3 });
  expect(await found(hash)).toEqual([21]);
  expect(await found(hash.slice(0, 8))).toEqual([21]);
  expect(await found(hash.slice(0, 12), hash.slice(-4))).toEqual([21]);
  expect(await found(hash.slice(0, 12), 'xyz')).toEqual([]);
  expect(await positionsOf({ hash })).toEqual([21]);
  const other = `${hash.slice(0, 63)}${hash.endsWith('0') ? '1' : '0'}`;
  expect(await positionsOf({ hash: other })).toEqual([]);
});

test('times become positions, with the stated bounds', async () => {
  const last = events.length;
  const [from, to] = [timeOf(10), timeOf(14)];
  expect(await positionsOf({ from, to })).toEqual([13, 12, 11, 10]);
  expect(await positionsOf({ to: timeOf(1) })).toEqual([]);
  expect(await positionsOf({ from: timeOf(last) })).toEqual([last]);
  expect(await readPositionAt(db, timeOf(7))).toBe(7);
  const justBefore = new Date(Date.parse(timeOf(7)) - 1).toISOString();
  expect(await readPositionAt(db, justBefore)).toBe(6);
  expect(await readPositionAt(db, '2020-01-01')).toBe(0);
  expect(await readPositionAt(db, '2100-01-01')).toBe(last);
});

test('pages follow each other without a gap, and an entry matches its event', async () => {
  const filter = { wallet: bert };
  const all = await readExplorer(db, { filter, limit: 500 });
  const paged = [];
  for (let before: number | undefined; ; ) {
    const page = await readExplorer(db, { filter, before, limit: 4 });
    paged.push(...page.entries);
    if (page.next === null) break;
    before = page.next;
  }
  expect(paged).toEqual(all.entries);
  const won = all.entries.find(({ type }) => type === 'BetWon');
  const event = events[(won?.position ?? 0) - 1];
  expect(won).toMatchObject({
    time: event?.time,
    kind: 'player',
    player: { wallet: bert, publicId: 'id2', nickname: 'Bertie' },
    version: event?.version,
    tokenMinor: null,
    correlation: event?.meta.correlation,
    command: event?.meta.command,
    actor: event?.meta.actor,
  });
  const config = await readExplorer(db, { filter: { kind: 'config' }, limit: 1 });
  expect(config.entries[0]).toMatchObject({ player: null, actor: 'operator:otto' });
});

test('an event whose command is missing is listed without an actor, and does not end a page', async () => {
  const at = events.length - 2;
  const before = await positionsOf({});
  const client = await database.pool('owner').connect();
  const move = (first: number) =>
    client.query('update events set first_position = $2 where position = $1', [at, first]);
  await client.query("set session_replication_role = 'replica'");
  try {
    await move(0);
    expect(await positionsOf({})).toEqual(before);
    const { entries: found } = await readExplorer(db, { filter: {}, limit: 4 });
    expect(found.find(({ position }) => position === at)).toMatchObject({ actor: '', command: '' });
  } finally {
    await move(events[at - 1]?.firstPosition ?? at);
    await client.query("set session_replication_role = 'origin'");
    client.release();
  }
});
