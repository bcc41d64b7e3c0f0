/** `npm run bench -- explorer`: queries of the console's explorer against the database, with their plans. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPool } from '@reelbook/event-store/db';
import { migrateAll } from '@reelbook/projections/all';
import { readBalanceAt, readStatement } from '@reelbook/projections/entries/balances-at';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { searchPlayers } from '@reelbook/projections/entries/players';
import { pageOf, readExplorer, readSince } from '@reelbook/projections/entries/read';
import { readRound, readRounds } from '@reelbook/projections/entries/rounds';
import { seek } from '@reelbook/projections/entries/seek';
import { readSums } from '@reelbook/projections/entries/sums';
import { readTransactions } from '@reelbook/projections/entries/transactions';
import { type Exit, integerOption, print } from '@reelbook/runtime/command';
import { defineCommand, flag, text, textOr } from '@reelbook/runtime/command-line';
import { startEmbeddedPostgres } from '@reelbook/runtime/postgres/cluster';
import type pg from 'pg';
import { readSeeded, SAMPLE_EVERY, type Seeded, seedExplorer, walletOf } from './explorer-seed.ts';

const PAGE = 50;
const GOAL_MS = 100;
const EVENTS_MIN = 10_000;
const EVENTS_MAX = 20_000_000;
const QUERIES_MAX = 1_000;

type FilterAt = (n: number) => ExplorerFilter;

/** Filters by name; `n` selects other values for each query. */
function filtersOf({ events, players }: Seeded): Readonly<Record<string, FilterAt>> {
  const draw = (n: number, most: number) => 1 + ((n * 7_919_117) % most);
  const pair = (n: number, of: number, rest: number) =>
    Math.max(1, Math.floor(draw(n, events / 2) / of)) * of + rest;
  const wallet = (n: number) => walletOf(draw(n, players));
  const sampled = (n: number) => draw(n, Math.floor(events / SAMPLE_EVERY)) * SAMPLE_EVERY + 1;
  const time = (position: number) => new Date(START_MS + position * 20).toISOString();
  return {
    none: () => ({}),
    'a busy player': () => ({ wallet: walletOf(1) }),
    'a player': (n) => ({ wallet: wallet(n) }),
    'a public id': (n) => ({ publicId: `id${draw(n, players)}` }),
    'a common type': () => ({ types: ['BetWon'] }),
    'a stream kind': () => ({ kind: 'config' }),
    'a rare type': () => ({ types: ['ConfigChanged'] }),
    'types of a player': (n) => ({ wallet: wallet(n), types: ['SessionStarted', 'Exchanged'] }),
    'bets of a player': (n) => ({ wallet: wallet(n), types: ['BetWon'] }),
    'an asset': () => ({ asset: 'token' }),
    'one amount': (n) => ({ asset: 'points', amount: exactly(BigInt(100 * draw(n, 50))) }),
    'one amount without matches': () => ({ asset: 'points', amount: exactly(123n) }),
    'one amount of token': (n) => ({
      asset: 'token',
      amount: exactly(10n ** 9n * BigInt(draw(n, 90))),
    }),
    'large amounts of token': () => ({ asset: 'token', amount: { minMinor: 10n ** 12n } }),
    'large amounts': () => ({ asset: 'points', amount: { minMinor: 15_000n } }),
    'amounts without matches': () => ({ asset: 'points', amount: { minMinor: 900_000n } }),
    'amounts in a range': () => ({
      asset: 'points',
      amount: { minMinor: 2_000n, maxMinor: 4_000n },
    }),
    'large wins': () => ({ types: ['BetWon'], asset: 'points', amount: { minMinor: 15_000n } }),
    'an hour': (n) => {
      const from = draw(n, events);
      return { from: time(from), to: time(from + 180_000) };
    },
    'a game': () => ({ game: 'snake' }),
    'a rare game': () => ({ game: 'mahjong' }),
    'a game without matches': () => ({ game: 'go' }),
    'a game of a player': (n) => ({ wallet: wallet(n), game: 'tetris' }),
    'rules of a game': () => ({ rules: 'minesweeper-1' }),
    'old rules': () => ({ rules: 'slot-0' }),
    'an operator': () => ({ actor: 'operator:otto' }),
    'a round': (n) => ({ round: `id${draw(n, players)}-${pair(n, 100, 57)}` }),
    'an unknown request': (n) => ({ correlation: `never ${n}` }),
    'a hash without matches': (n) => ({ hash: n.toString(16).padStart(64, 'f') }),
    'a request': (n) => ({ correlation: `request ${draw(n, events / 2)}` }),
    'a command': (n) => ({ command: ((sampled(n) + 1) / 2).toString(16).padStart(32, '0') }),
    'a signature': (n) => ({
      signature: 's'.repeat(60) + String(pair(n, 100, 1)).replaceAll('0', 'z'),
    }),
    'a withdrawal': (n) => ({ withdrawal: `id${draw(n, players)}-w${pair(n, 1_000, 502)}` }),
    'no matches': () => ({ types: ['BetVoided'], game: 'snake' }),
  };
}

const START_MS = Date.parse('2026-01-01T00:00:00Z');
const exactly = (minor: bigint) => ({ minMinor: minor, maxMinor: minor });

export const command = defineCommand({
  usage: { '[--events N] [--queries N] [--plans] [--folder FOLDER]': '' },
  about: `Seeds a ledger of N events and its entries, then measures pages of every filter: the newest page, and one
from the middle of the ledger, with different values each time. Starts its own Postgres. Goal: the slowest page of each
filter takes under 100 ms at ten million events (about 7 GB).`,
  options: {
    events: textOr('1000000', 'N', 'events in the ledger'),
    queries: textOr('25', 'N', 'per filter'),
    plans: flag('prints EXPLAIN (ANALYZE) of one page per filter'),
    folder: text('FOLDER', 'keeps the database; a run with the same number of events reuses it'),
  },
  run: explore,
});

async function explore(values: {
  readonly events: string;
  readonly queries: string;
  readonly plans: boolean;
  readonly folder?: string;
}): Promise<Exit> {
  const events = integerOption(values, 'events', { min: EVENTS_MIN, max: EVENTS_MAX });
  const queries = integerOption(values, 'queries', { max: QUERIES_MAX });
  const folder = values.folder ?? mkdtempSync(join(tmpdir(), 'reelbook-bench-'));
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'pg'), durable: false });
  try {
    const owner = openPool({ ...OPEN, url: postgres.url, role: 'owner' });
    await migrateAll(owner);
    const projector = openPool({ ...OPEN, url: postgres.url, role: 'projector' });
    const seeded =
      (await readSeeded(owner, events)) ?? (await seedExplorer(owner, projector, events, print));
    const app = openPool({ ...OPEN, url: postgres.url, role: 'app' });
    const slow = await measure(app, seeded, { queries, plans: values.plans });
    await Promise.all([app.end(), projector.end()]);
    await owner.end();
    return print(
      slow === 0
        ? `every query is under ${GOAL_MS} ms`
        : `${slow} queries are not under ${GOAL_MS} ms`,
    );
  } finally {
    await postgres.close();
    if (values.folder === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

const OPEN = { max: 2, name: 'bench', noStatementTimeout: true } as const;

/** @returns the number of page kinds whose slowest query misses the goal. */
async function measure(
  pool: pg.Pool,
  seeded: Seeded,
  { queries, plans }: { readonly queries: number; readonly plans: boolean },
): Promise<number> {
  const { events, players } = seeded;
  let slow = 0;
  const run = async (name: string, query: (n: number) => Promise<unknown>) => {
    const tookMs: number[] = [];
    for (let n = 1; n <= queries; n++) {
      const begun = performance.now();
      await query(n);
      tookMs.push(performance.now() - begun);
    }
    tookMs.sort((a, b) => a - b);
    const worst = tookMs.at(-1) ?? 0;
    if (worst >= GOAL_MS) slow++;
    const middle = tookMs[Math.floor(tookMs.length / 2)] ?? 0;
    print(
      `${name.padEnd(34)} median ${ms(middle)}   worst ${ms(worst)}${worst < GOAL_MS ? '' : '   OVER'}`,
    );
  };
  for (const [name, filterAt] of Object.entries(filtersOf(seeded))) {
    await run(name, (n) => readExplorer(pool, { filter: filterAt(n), limit: PAGE }));
    await run(`${name}, further back`, (n) => {
      const before = 1 + Math.floor(events * (((n * 37) % 97) / 97));
      return readExplorer(pool, { filter: filterAt(n), before, limit: PAGE });
    });
    if (plans) await explain(pool, filterAt(1));
  }
  const wallet = (n: number) => walletOf(1 + ((n * 7_919) % players));
  await run('live tail', () => readSince(pool, { filter: {}, after: events - 20, limit: PAGE }));
  await run('players by name prefix', (n) =>
    searchPlayers(pool, { beginning: `Player ${n}`, limit: PAGE }),
  );
  const points = { asset: 'points' as const };
  await run('statement of a player', (n) =>
    readStatement(pool, { ...points, account: `player:${wallet(n)}`, limit: PAGE }),
  );
  const { rows: sampled } = await pool.query<{ hash: string; round: string | null }>(
    `select encode(hash, 'hex') as hash, body->'data'->>'round' as round
      from events where position in (select position from idempotency_keys) and type = 'BetPlaced'`,
  );
  const at = (n: number) => sampled[n % sampled.length];
  await run('a hash', (n) => readExplorer(pool, { filter: { hash: at(n)?.hash }, limit: PAGE }));
  await run('events of a round', (n) =>
    readExplorer(pool, { filter: { round: at(n)?.round ?? '' }, limit: PAGE }),
  );
  await run('a round by its id', (n) => readRound(pool, at(n)?.round ?? ''));
  const busy = walletOf(1);
  await run('rounds of a busy player, far back', (n) =>
    readRounds(pool, { wallet: busy, game: 'slot-machine', page: n * 40, pageSize: PAGE }),
  );
  await run('transactions of a busy player, far back', (n) =>
    readTransactions(pool, { wallet: busy, skip: n * 1_000, limit: PAGE }),
  );
  await run('sums by type of a busy player', (n) =>
    readSums(pool, { wallet: busy, after: n * 1_000, until: events }),
  );
  await run("balance at a position, a player's", (n) =>
    readBalanceAt(pool, {
      ...{ ...points, account: `player:${wallet(n)}` },
      position: 1 + ((n * 7_919_117) % events),
    }),
  );
  await run("balance at a position, the house's", (n) =>
    readBalanceAt(pool, { ...points, account: 'house', position: 1 + ((n * 7_919_117) % events) }),
  );
  return slow;
}

async function explain(pool: pg.Pool, filter: ExplorerFilter): Promise<void> {
  const sought = await seek(pool, filter);
  if (!sought) return;
  const { sql, parameters } = pageOf(sought, { limit: PAGE, order: 'desc' }).compile();
  const { rows } = await pool.query<{ 'QUERY PLAN': string }>(
    `explain (analyze, costs off) ${sql}`,
    [...parameters],
  );
  for (const row of rows) print(`    ${row['QUERY PLAN']}`);
}

const ms = (value: number) => `${value.toFixed(1).padStart(7)} ms`;
