import { randomBytes } from 'node:crypto';
import { startExecutor } from '@reelbook/event-store/execute';
import { loadState } from '@reelbook/event-store/read-stream';
import { openSeedVault, type SeedVault } from '@reelbook/event-store/seed-vault';
import { createDraws } from '@reelbook/games/fairness/draw';
import { tetris } from '@reelbook/games/tetris/rules';
import { DAY_MS } from '@reelbook/ledger/calendar';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { LedgerEvent } from '@reelbook/ledger/decider';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import { nextNotice } from '@reelbook/ledger/player/notices';
import { isBigWin } from '@reelbook/ledger/player/rounds';
import { balancesOf, type PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createPlayers } from '@reelbook/testing/history';
import { forge, tamperWith } from '@reelbook/testing/tamper';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { auditLedger } from './audit.ts';

let database: TestDatabase;
let pool: pg.Pool;
let vault: SeedVault;
let ann: string;
let serverSeed: string;

beforeAll(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  vault = openSeedVault({ pool, key: randomBytes(32), keyId: 'test' });
  const executor = startExecutor({ pool });
  const players = createPlayers({ executor, vault });
  await players.configure();
  ann = playerStream(await players.register());
  await executor.close();
  const { state } = await loadState(pool, playerDecider, ann);
  serverSeed = await vault.open(state.seeds?.activeHash ?? '');
});
afterAll(() => database.drop());

/** What the seeds give, and a matching start, with the forged parts. */
function begun(state: PlayerState, forged: Partial<BetPlaced['data']> = {}) {
  const { pair = 0, clientSeed = '', nonce = 0 } = state.seeds ?? {};
  const draws = createDraws({ serverSeed, clientSeed, nonce });
  const drawn = tetris.draw({ rules: 'tetris-1', stakeMinor: 1_000n, lines: 1, draws });
  const data = {
    round: `${state.publicId}-${state.rounds + 1}`,
    game: 'tetris',
    stakeMinor: 1_000n,
    lines: 1,
    rules: 'tetris-1',
    pair,
    nonce,
    after: { ...balancesOf(state), pointsMinor: state.pointsMinor - 1_000n },
    timed: { ticks: drawn.outcome.ticks, tickMs: 1 },
    ...forged,
  };
  return { drawn, event: { type: 'BetPlaced', data } satisfies LedgerEvent };
}

/** The end that the seeds of the open round give, or one that is forged. */
function ended(
  state: PlayerState,
  drawn: { readonly outcome: object; readonly payoutMinor: bigint },
): LedgerEvent {
  const open = state.timed?.tetris;
  const { payoutMinor, outcome } = drawn;
  const after = { ...balancesOf(state), pointsMinor: state.pointsMinor + payoutMinor };
  const bet = { round: open?.round, game: 'tetris', outcome, stakeMinor: 1_000n, after };
  // The seed may give a big win, of which the player is notified.
  const isBig = isBigWin({ stakeMinor: 1_000n, payoutMinor }, defaultConfig);
  const notice = isBig ? { notice: nextNotice(state) } : {};
  return payoutMinor > 0n
    ? { type: 'BetWon', data: { ...bet, payoutMinor, ...notice } }
    : { type: 'BetLost', data: bet };
}

type Step = (state: PlayerState) => readonly LedgerEvent[];

/** All findings of the operator's audit for a ledger with these commands. */
async function findingsOf(...steps: readonly Step[]): Promise<readonly string[]> {
  return tamperWith(
    database.pool('owner'),
    async () => {
      for (const step of steps) await forge(pool, ann, step as never);
    },
    async () => {
      const { findings } = await auditLedger({ pool, vault, onProgress() {} });
      // The forger is no player: see forged-actors.db.test.ts.
      const others = findings.kept.filter(({ check }) => check !== 'actors');
      return others.map(({ check, message }) => `${check}: ${message}`);
    },
  );
}

/** Waits until the newest event has that age by the ledger's clock. */
const untilOld = (ms: number) =>
  pool.query(
    `select pg_sleep_until(max(recorded_at) + make_interval(secs => $1::float8 / 1000))
      from events`,
    [ms],
  );

test('a timed round that paid what its seed gives is clean, an open one too', async () => {
  let drawn = { outcome: {}, payoutMinor: 0n };
  const start: Step = (state) => {
    const made = begun(state);
    ({ drawn } = made);
    return [made.event];
  };
  expect(await findingsOf(start)).toEqual([]);
  const waited = await tamperWith(
    database.pool('owner'),
    async () => {
      const actor = ann.replace('player-', 'player:');
      await forge(pool, ann, start as never, actor);
      await untilOld((drawn.outcome as { ticks: number }).ticks);
      await forge(pool, ann, ((state: PlayerState) => [ended(state, drawn)]) as never, actor);
    },
    () => auditLedger({ pool, vault, onProgress() {} }),
  );
  expect(waited.findings.kept).toEqual([]);
  expect(waited.rounds).toMatchObject({ checked: 1, open: 0 });
});

test('finds a settlement earlier than its ticks, without any seed', async () => {
  let drawn = { outcome: {}, payoutMinor: 0n };
  const found = await findingsOf(
    (state) => {
      const made = begun(state);
      ({ drawn } = made);
      const timed = { ...made.event.data.timed, tickMs: 60_000 };
      return [{ ...made.event, data: { ...made.event.data, timed } }];
    },
    (state) => [ended(state, drawn)],
  );
  expect(found).toEqual([
    expect.stringMatching(/^rounds: round \S+ settled after \S+ s; its ticks last/),
  ]);
});

test('finds a round with fewer ticks than its seed gives', async () => {
  let drawn = { outcome: {}, payoutMinor: 0n };
  const found = await findingsOf(
    (state) => {
      const made = begun(state);
      ({ drawn } = made);
      const timed = { ticks: made.event.data.timed.ticks + 1, tickMs: 1 };
      return [{ ...made.event, data: { ...made.event.data, timed } }];
    },
    (state) => [ended(state, drawn)],
  );
  expect(found.some((one) => /lasts \d+ ticks; its seed gives \d+/.test(one))).toBe(true);
});

test('finds an end that the seed does not give', async () => {
  const found = await findingsOf(
    (state) => [begun(state).event],
    (state) => [ended(state, { outcome: { score: 1 }, payoutMinor: 9_000n })],
  );
  expect(found.some((one) => one.includes('outcome-differs'))).toBe(true);
});

test('finds an instant round that a later command settles', async () => {
  const found = await findingsOf(
    (state) => {
      const { timed: _, ...data } = begun(state).event.data;
      return [{ type: 'BetPlaced', data }];
    },
    () => [{ type: 'SessionStarted', data: { session: '00' } }],
    (state) => {
      const round = `${state.publicId}-1`;
      const after = balancesOf(state);
      return [
        {
          type: 'BetLost',
          data: { round, game: 'tetris', outcome: {}, stakeMinor: 1_000n, after },
        },
      ];
    },
  );
  expect(found.some((one) => one.includes('did not settle in the command of its stake'))).toBe(
    true,
  );
});

test('finds an instant round that is never settled', async () => {
  const found = await findingsOf((state) => {
    const { timed: _, ...data } = begun(state, { game: 'slot-machine', rules: 'slot-1' }).event
      .data;
    return [{ type: 'BetPlaced', data: { ...data, lines: 25 } }];
  });
  expect(found).toEqual([
    expect.stringMatching(/^rounds: round \S+ took its stake and never settled$/),
  ]);
});

test('finds a seed revealed while a round drawn from it is open', async () => {
  const found = await findingsOf(
    (state) => [begun(state).event],
    ({ seeds }) => {
      const { pair = 0, activeHash = '', clientSeed = '', nonce = 0 } = seeds ?? {};
      const revealed = { serverSeedHash: activeHash, serverSeed, clientSeed };
      return [{ type: 'SeedRevealed', data: { pair, ...revealed, nonces: nonce } }];
    },
  );
  expect(found.some((one) => /is revealed while round \S+ is open/.test(one))).toBe(true);
});

test('finds a void by a non-operator, and one of no open round', async () => {
  const voided = (state: PlayerState, round: string) => {
    const after = { ...balancesOf(state), pointsMinor: state.pointsMinor + 1_000n };
    const n = (state.notices?.count ?? 0) + 1;
    const by = 'system:thief';
    const day = Math.floor(Date.now() / DAY_MS);
    const data = { round, game: 'tetris', stakeMinor: 1_000n, reason: 'because', by, day, after };
    return { type: 'BetVoided', data: { ...data, notice: { n, unread: n } } };
  };
  const byThief = await findingsOf(
    (state) => [begun(state).event],
    (state) => [voided(state, state.timed?.tetris?.round ?? '')],
  );
  expect(byThief).toContain('operators: BetVoided by system:thief, which is no operator');
  const ofNone = await findingsOf((state) => [voided(state, 'p-9')]);
  expect(ofNone.some((one) => one.includes('is settled but not open'))).toBe(true);
});
