import { spawn } from 'node:child_process';
import { auditLedger } from '@reelbook/audit/audit';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { isUnavailable } from '@reelbook/event-store/db';
import { readHead } from '@reelbook/event-store/read-log';
import { projections } from '@reelbook/projections/all';
import { balances } from '@reelbook/projections/balances/projection';
import { readTransactions } from '@reelbook/projections/entries/history';
import { entries } from '@reelbook/projections/entries/projection';
import { leaderboards, readLeaderboard } from '@reelbook/projections/leaderboards/projection';
import { rebuild } from '@reelbook/projections/rebuild';
import { readRecentWins, recentWins } from '@reelbook/projections/recent-wins/projection';
import { REPOSITORY, RUN } from '@reelbook/runtime/repository';
import {
  ledger,
  projecting,
  publishing,
  useProjectedLedger,
} from '@reelbook/simulator/stages/projected-ledger';
import { walletOf } from '@reelbook/testing/history';
import { WAIT } from '@reelbook/testing/wait';
import { expect, test, vi } from 'vitest';

const REBUILDS = 2;
const POOL_MAX = 6;

useProjectedLedger();

async function startAll() {
  const bus = createInProcessBus();
  await publishing(bus);
  return projecting({ bus, pool: ledger.database.pool('projector', 12) });
}

async function faultsOfOperators() {
  const pool = ledger.database.pool('app');
  const { findings } = await auditLedger({ pool, vault: null, onProgress: () => {} });
  return findings.kept.filter(({ check }) => check === 'operators');
}

/**
 * Calls until `end`, and then throws the error of a call. A lock timeout on a busy machine is no gap: the gateway responds
 * with 503 and the client retries.
 */
function keepDoing(action: () => Promise<unknown>) {
  let ended = false;
  let calls = 0;
  const running = (async () => {
    while (!ended) {
      try {
        await action();
        calls++;
      } catch (error) {
        if (!isUnavailable(error)) throw error;
      }
    }
  })();
  running.catch(() => {});
  return {
    async end() {
      ended = true;
      await running;
      return calls;
    },
  };
}

test('rebuilt under appends and reads, without a gap for anyone', async () => {
  const projector = await startAll();
  await ledger.reached(await ledger.play(200));
  const epochs = () =>
    ledger.database.pool('owner').query('select name, lease_epoch from checkpoints order by name');
  const before = (await epochs()).rows;

  const db = ledger.database.pool('app');
  let most = 0;
  const busy = [
    keepDoing(() => ledger.play(5)),
    keepDoing(async () => {
      const { total, items } = await readTransactions(db, {
        wallet: walletOf(1),
        skip: 0,
        limit: 10,
      });
      expect(items).toHaveLength(10);
      expect(total).toBeGreaterThanOrEqual(most);
      most = total;
    }),
    keepDoing(async () => {
      expect(await readLeaderboard(db, { board: 'points', limit: 10 })).toHaveLength(5);
    }),
    keepDoing(async () => {
      expect(await readRecentWins(db, { limit: 10 })).toHaveLength(10);
    }),
  ];
  const pool = ledger.database.pool('owner', POOL_MAX);
  for (let turn = 0; turn < REBUILDS; turn++) {
    for (const one of await rebuild(pool, [entries, balances, leaderboards, recentWins])) {
      expect(one).toMatchObject({ comparison: { equal: true } });
    }
  }
  for (const { end } of busy) expect(await end()).toBeGreaterThan(REBUILDS);
  const { position } = await readHead(db);
  await ledger.reached(position);
  await ledger.expectReplaysEqual();
  expect(projector.status().every(({ state }) => state === 'working')).toBe(true);
  // No lease was taken again: each worker kept its own.
  expect((await epochs()).rows).toEqual(before);
});

test('finds a table changed by hand, replaces it, and continues', async () => {
  await startAll();
  await ledger.reached(await ledger.play(50));
  await ledger.database
    .pool('owner')
    .query('update projections.leaderboards_v2 set earnings = earnings + 1 where wallet = $1', [
      walletOf(2),
    ]);
  const [done] = await rebuild(ledger.database.pool('owner', POOL_MAX), [leaderboards]);
  expect(done?.comparison).toMatchObject({
    equal: false,
    firstDifference: { table: 'leaderboards_v2', live: expect.stringContaining(walletOf(2)) },
  });
  await ledger.reached(await ledger.play(20));
  await ledger.expectReplaysEqual();
});

test('a stopped projection resumes automatically after a rebuild', async () => {
  await startAll();
  await ledger.reached(await ledger.play(20));
  // Rows in place of the next wins: the events are right, the table is wrong.
  await ledger.database.pool('owner').query(
    `insert into projections.recent_wins_v2
      select ledger_head.position + n, 'w', 'slot-machine', 'r', 1, 1, now()
      from ledger_head, generate_series(1, 40) as n`,
  );
  await ledger.play(40);
  await vi.waitFor(
    async () => expect(await ledger.checkpoint('recent-wins')).toMatchObject({ status: 'stopped' }),
    WAIT,
  );
  await rebuild(ledger.database.pool('owner', POOL_MAX), [recentWins]);
  await ledger.reached(await ledger.play(20));
  await ledger.expectReplaysEqual();
});

/** Runs `npm run reelbook -- rebuild`. With `killAt` it is killed at the first line that contains it. */
function run(args: readonly string[], options: { url?: string; killAt?: string } = {}) {
  const why = args.length > 0 ? ['--reason', 'a test'] : [];
  const child = spawn(process.execPath, [RUN, 'services/cli/main.ts', 'rebuild', ...why, ...args], {
    cwd: REPOSITORY,
    env: { DATA_DIR: '/nowhere/reelbook', ...(options.url ? { DATABASE_URL: options.url } : {}) },
  });
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    errors += chunk;
    if (options.killAt && errors.includes(options.killAt)) child.kill('SIGKILL');
  });
  return new Promise<{ code: number | null; output: string; errors: string }>((resolve) =>
    child.on('close', (code) => resolve({ code, output, errors })),
  );
}

test('the command prints its usage, and reports what it cannot do', async () => {
  const help = await run(['--help']);
  expect(help.output).toContain('--reason');
  expect(help.code).toBe(0);
  const cannot = async (args: readonly string[], why: string) => {
    const { code, errors } = await run(args);
    expect(errors).toContain(why);
    expect(code).toBe(2);
  };
  await Promise.all([
    cannot(['nothing'], 'Unknown projection: nothing. Projections: balances, '),
    cannot(['balances', 'seeds'], 'Name one projection, or all.'),
    cannot(['balances'], '/nowhere/reelbook has no data'),
    cannot(['balances', '--unknown'], "Unknown option '--unknown'"),
    cannot(['balances', '--reason', ' '], '--reason "..." is required (1 to'),
  ]);
});

test('the command rebuilds all projections', async () => {
  await startAll();
  await ledger.reached(await ledger.play(50));
  const { url } = ledger.database;
  const { code, output } = await run(['all'], { url });
  expect(code, output).toBe(0);
  expect(output.match(/Equal to the old one at position/g)).toHaveLength(projections.length);
  await ledger.reached(await ledger.play(20));
  await ledger.expectReplaysEqual();
  expect(await faultsOfOperators()).toEqual([]);
});

test('the command reports a difference and replaces the tables; the ledger has who, why and the result', async () => {
  await startAll();
  await ledger.reached(await ledger.play(50));
  const { url } = ledger.database;
  const name = 'leaderboards';
  expect(await run([name], { url })).toMatchObject({ code: 0 });
  await ledger.database
    .pool('owner')
    .query('update projections.leaderboards_v2 set wins = 0 where wallet = $1', [walletOf(1)]);
  const different = await run([name], { url });
  expect(different.output).toContain('DIFFERENT from the old one');
  expect(different.code).toBe(1);
  await ledger.expectReplaysEqual();
  const status = await run([], { url });
  expect(status.output).toMatch(/^leaderboards: position \d+, live$/m);
  const { rows } = await ledger.database
    .pool('app')
    .query<{ body: string }>(
      `select body::text from events where type like 'ReadModelOperation%' order by position`,
    );
  const events = rows.map(({ body }) => JSON.parse(body));
  expect(
    events.map(({ meta, data }) => [meta.actor, data.operation, data.reason ?? data.outcome]),
  ).toEqual(
    ['a test', 'done', 'a test', 'done'].map((outcome) => [
      'system:rebuild-command',
      'switch',
      outcome,
    ]),
  );
  expect(await faultsOfOperators()).toEqual([]);
});

test('killed in the middle it leaves the live projection unchanged, and begins again when it is run again', async () => {
  await startAll();
  await ledger.reached(await ledger.play(1_500));
  const { url } = ledger.database;
  // A slow reader: regardless of when the kill comes, nothing was replaced before it.
  const reader = await ledger.database.pool('owner', 1).connect();
  await reader.query('set idle_in_transaction_session_timeout = 0');
  await reader.query('begin');
  await reader.query(`select count(*) from projections.entries_v${entries.version}`);
  const killed = await run(['entries'], { url, killAt: 'rebuild entries: ' });
  expect(killed.code).toBeNull();
  await reader.query('commit');
  reader.release();
  await ledger.expectReplaysEqual();
  expect((await run(['entries'], { url })).code).toBe(0);
  await ledger.reached(await ledger.play(10));
  await ledger.expectReplaysEqual();
});
