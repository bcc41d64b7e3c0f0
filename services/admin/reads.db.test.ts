import { foldStream, readStream } from '@reelbook/event-store/read-stream';
import { findChainFault } from '@reelbook/games/proofs/chained-event';
import { toPlain } from '@reelbook/inspection/point-in-time';
import { fold } from '@reelbook/ledger/decider';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { playerStream } from '@reelbook/ledger/streams';
import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';

const BETS = 24;

let site: TestSite;
let admin: AdminSite;
let anna: TestPlayer;
let bert: TestPlayer;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
  anna = await site.login();
  bert = await site.login();
  for (let i = 0; i < BETS; i++) await bet(i % 3 === 0 ? bert : anna, 1 + (i % 4));
  await anna.call('/transaction/exchange', {
    body: { from_type: 'points', to_type: 'token', amount: 50 },
  });
  await bet(anna, 5);
  await untilReached();
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

async function bet(player: TestPlayer, points: number): Promise<void> {
  const { status, message } = await player.call('/game/slot-machine/bet', {
    body: { bet_amount: points, lines: 25 },
  });
  if (status !== 200) throw new Error(message);
}

async function read<Data>(path: string, role: keyof AdminSite['by'] = 'viewer'): Promise<Data> {
  const { status, message, data } = await admin.by[role].call<Data>(`/admin${path}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${message}`);
  return data;
}

const untilReached = () => untilCaughtUp(site.pool);

const eventsOf = (player: TestPlayer) =>
  readStream(site.pool, {
    stream: playerStream(player.wallet.address),
    fromVersion: 1,
    limit: 1_000,
  });

test('pages of the explorer are consecutive, also while the ledger grows', async () => {
  const wallet = anna.wallet.address;
  const path = `/explorer?wallet=${wallet}&limit=7`;
  const expected = (await eventsOf(anna)).map(({ position }) => position).reverse();
  const seen: number[] = [];
  for (let before = ''; ; ) {
    const { entries, next } = await read<AdminData<'explorer'>>(`${path}${before}`);
    seen.push(...entries.map(({ position }) => position));
    if (next === null) break;
    before = `&before=${next}`;
    await bet(anna, 1);
  }
  expect(seen).toEqual(expected);
  await untilReached();
});

test('the live tail returns new events once and in order', async () => {
  const first = await read<AdminData<'explorer'>>('/explorer?types=BetPlaced&limit=1');
  await bet(bert, 2);
  await bet(bert, 3);
  await untilReached();
  const { entries, tail } = await read<AdminData<'explorer'>>(
    `/explorer?types=BetPlaced&after=${first.tail}`,
  );
  expect(entries.map(({ amounts }) => amounts)).toEqual([
    [{ asset: 'points', minor: '-200' }],
    [{ asset: 'points', minor: '-300' }],
  ]);
  const again = await read<AdminData<'explorer'>>(`/explorer?types=BetPlaced&after=${tail}`);
  expect(again).toMatchObject({ entries: [], tail });
});

test.each([
  ['types=BetRefused', 'invalid value for types'],
  ['wallet=unknown', 'invalid value for wallet'],
  ['min_minor=-5', 'min_minor must be an integer of minor units, 0 or more'],
  ['direction=credit', 'a direction needs an asset'],
  ['asset=points&min_minor=-5', 'min_minor must be an integer of minor units, 0 or more'],
  ['from=yesterday', 'invalid value for from'],
  ['hash=abc', 'invalid value for hash'],
  ['from_position=9&to_position=3', 'fromPosition is after toPosition'],
])('a filter that cannot be answered is refused: %s', async (query, why) => {
  for (const path of ['/explorer?', '/export?format=csv&']) {
    const { status, message } = await admin.by.admin.call(`/admin${path}${query}`);
    expect({ status, message }).toEqual({ status: 400, message: why });
  }
});

test('an unknown filter is refused, and a value that is too long', async () => {
  const { call } = admin.by.viewer;
  expect((await call('/admin/explorer?player=anna')).status).toBe(400);
  expect((await call(`/admin/explorer?round=${'r'.repeat(300)}`)).status).toBe(400);
  expect((await call('/admin/explorer?limit=501')).status).toBe(400);
  for (const path of [
    '/explorer?round=%00',
    '/find?q=%00',
    '/players?q=a%00',
    '/withdrawals/%00',
  ]) {
    expect((await call(`/admin${path}`)).status).toBe(400);
  }
  expect((await call('/admin/balance/explanation?asset=points&account=%00')).status).toBe(400);
});

test('every kind of identifier is found', async () => {
  const [placed] = (await eventsOf(anna)).filter(({ event }) => event.type === 'BetPlaced');
  if (placed?.event.type !== 'BetPlaced') throw new Error('Anna has bet');
  const { round } = placed.event.data;
  const kindsOf = async (q: string) =>
    (await read<AdminData<'find'>>(`/find?q=${encodeURIComponent(q)}`)).matches.map(
      ({ kind }) => kind,
    );
  const nickname = `${placed.position} wins`;
  await anna.call('/user/profile', { method: 'PUT', body: { nickname } });
  await untilReached();
  expect(await kindsOf(String(placed.position))).toEqual(['event', 'player']);
  expect(await kindsOf(`#${placed.position}`)).toEqual(['event']);
  expect(await kindsOf(placed.hash)).toEqual(['event']);
  expect(await kindsOf(round)).toEqual(['round']);
  expect(await kindsOf(placed.meta.command)).toContain('command');
  expect(await kindsOf(anna.wallet.address)).toEqual(['player']);
  expect(await kindsOf(round.split('-')[0] ?? '')).toContain('player');
  expect(await kindsOf('nothing of the kind')).toEqual([]);
});

test('an event has its postings, state changes, causes and effects', async () => {
  const placed = (await eventsOf(anna)).findLast(({ event }) => event.type === 'BetPlaced');
  const position = placed?.position ?? 0;
  const event = await read<AdminData<'event'>>(`/events/${position}`);
  expect(event.faults).toEqual([]);
  expect(event.body).toBe(placed?.body);
  expect(findChainFault({ ...event, previous_hash: event.previous_hash })).toBeNull();
  expect(event.sums).toEqual([{ asset: 'points', minor: '0' }]);
  expect(event.postings.map(({ account }) => account)).toEqual([
    `player:${anna.wallet.address}`,
    'house',
  ]);
  const changed = event.state?.changes.map(({ path }) => path.join('.'));
  expect(changed).toEqual(expect.arrayContaining(['pointsMinor', 'rounds', 'seeds.nonce']));

  const graph = await read<AdminData<'eventGraph'>>(`/events/${position}/graph`);
  const typesOf = new Map(graph.nodes.map((node) => [node.position, node.type]));
  const relations = graph.edges.map(
    ({ from, to, relation }) => `${typesOf.get(from)} ${relation} ${typesOf.get(to)}`,
  );
  expect(relations).toContain('SessionStarted session BetPlaced');
  expect(relations).toContain('SeedsCommitted seeds BetPlaced');
  expect(relations.some((edge) => /^BetPlaced .* Bet(Won|Lost)$/.test(edge))).toBe(true);

  const round = await read<AdminData<'eventRound'>>(`/events/${position}/round`);
  expect(round.server_seed).toBeNull();
  expect(round.recomputed).toMatchObject({ result: 'holds', by: 'sealed seed', faults: [] });
  expect(round.recomputed.outcome).toEqual(round.outcome);
});

test('the state at a point in time equals a fold, at every position of a stream', async () => {
  const stream = playerStream(anna.wallet.address);
  const events = await eventsOf(anna);
  for (const [index, { position, version }] of events.entries()) {
    if (index % 5 !== 0 && index !== events.length - 1) continue;
    const state = await read<AdminData<'stateAt'>>(
      `/state?stream=${anna.wallet.address}&at=${position}`,
    );
    const folded = fold(
      playerDecider,
      events.slice(0, index + 1).map(({ event }) => event),
    );
    expect(state).toMatchObject({ version, position, state_differs: false });
    expect(state.state).toEqual(toPlain(folded));
  }
  const { state: current } = await foldStream(site.pool, playerDecider, stream);
  const now = await read<AdminData<'stateAt'>>(`/state?stream=${stream}`);
  expect(now).toMatchObject({ is_current: true, state: toPlain(current) });
  const middle = events[9];
  const byTime = await read<AdminData<'stateAt'>>(`/state?stream=${stream}&at=${middle?.time}`);
  expect(byTime.version).toBeGreaterThanOrEqual(middle?.version ?? 0);
  const before = await read<AdminData<'stateAt'>>(`/state?stream=${stream}&at=0`);
  expect(before).toMatchObject({ version: 0, position: null });
  const diff = await read<AdminData<'stateDiff'>>(
    `/state/diff?stream=${stream}&from=0&to=${middle?.position}`,
  );
  expect(diff.changes.map(({ path }) => path[0])).toContain('wallet');
});

test('the trial balance at any point in time sums to zero and equals the balances of players', async () => {
  const head = await untilReached();
  for (const at of [0, 1, Math.floor(head / 2), head]) {
    const { lines, sums } = await read<AdminData<'solvency'>>(`/house/solvency?at=${at}`);
    expect(sums.every(({ minor }) => minor === '0')).toBe(true);
    expect(lines).toHaveLength(12);
  }
  const { status, message } = await admin.by.viewer.call(`/admin/house/solvency?at=${head + 50}`);
  expect({ status, message }).toEqual({
    status: 400,
    message: `the ledger ends at position ${head}`,
  });
});

test('both balances of an account are explained at one position', async () => {
  const head = await untilReached();
  const query = `account=player:${anna.wallet.address}&from=1&at=${head}`;
  const both = await read<AdminData<'explainBalance'>>(`/balance/explanation?${query}`);
  expect(both.map(({ balance }) => balance.asset)).toEqual(['points', 'token']);
  for (const one of both) {
    expect(one).toMatchObject({ adds_up: true, from: { position: 1 }, at: { position: head } });
    const { asset } = one.balance;
    const alone = await read(`/balance/explanation?${query}&asset=${asset}`);
    expect(alone).toEqual([one]);
  }
});

test('a player is found by a prefix, with a consistent statement', async () => {
  const wallet = anna.wallet.address;
  const found = await read<AdminData<'players'>>(`/players?q=${wallet.slice(0, 6)}`);
  expect(found.players.map((one) => one.wallet)).toEqual([wallet]);
  expect((await read<AdminData<'players'>>('/players?q=%25')).players).toEqual([]);
  const all = await read<AdminData<'players'>>('/players');
  expect(all.players.map((one) => one.wallet)).toContain(wallet);
  const detail = await read<AdminData<'player'>>(`/players/${wallet}`);
  const lines: AdminData<'statement'>['lines'] = [];
  for (let before = ''; ; ) {
    const page = await read<AdminData<'statement'>>(
      `/players/${wallet}/statement?asset=points&limit=10${before}`,
    );
    lines.push(...page.lines);
    if (page.next === null) break;
    before = `&before=${page.next}`;
  }
  expect(lines[0]?.after).toEqual(detail.balances[0]);
  // English text, and facts for other languages.
  const amount = { asset: 'points', minor: '100000' };
  expect(lines.at(-1)).toMatchObject({ what: 'welcome: 1000 points', facts: { amount } });
  for (const [index, line] of lines.entries()) {
    const older = BigInt(lines[index + 1]?.after.minor ?? 0);
    expect(BigInt(line.after.minor)).toBe(older + BigInt(line.amount.minor));
  }
  const net = BigInt(detail.session?.net.minor ?? 0);
  expect(net).toBe(BigInt(detail.all_time.net.minor));
  const { status } = await admin.by.viewer.call('/admin/players/11111111111111111111111111111111');
  expect(status).toBe(404);
});

test('finance figures equal a recount, and an empty report shows no activity', async () => {
  await untilReached();
  const events = [...(await eventsOf(anna)), ...(await eventsOf(bert))];
  let [staked, paid] = [0n, 0n];
  for (const { event } of events) {
    if (event.type === 'BetPlaced') staked += event.data.stakeMinor;
    if (event.type === 'BetWon') paid += event.data.payoutMinor;
  }
  const { total } = await read<AdminData<'revenue'>>('/house/revenue');
  const points = (minor: bigint) => ({ asset: 'points', minor: minor.toString() });
  expect(total.points).toMatchObject({ turnover: points(staked), paid: points(paid) });
  expect(total.points.revenue).toEqual(points(staked - paid));
  const { rows } = await read<AdminData<'returns'>>('/house/returns');
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({ game: 'slot-machine', theoretical: 0.96 });
  const { message } = await admin.by.viewer.call('/admin/house/revenue?from=2020-01-01');
  expect(message).toBe('an interval has at most 400 days');
});

test('the system status shows whether appends work', async () => {
  await untilReached();
  const engine = await read<Record<string, unknown>>('/engine');
  expect(engine).toMatchObject({ head: { accepts: true }, bus: true });
  const blocker = await site.database.pool('owner', 1).connect();
  try {
    await blocker.query('begin; select 1 from ledger_head for update');
    expect(await read('/engine')).toMatchObject({ head: { accepts: false } });
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
});
