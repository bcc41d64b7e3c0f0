import { type Config, defaultConfig } from '@reelbook/ledger/config/config';
import { configDecider } from '@reelbook/ledger/config/decide';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ClockSkew } from './clock.ts';
import { type CommandExecutor, startExecutor } from './execute.ts';
import type { Executed, Execution } from './execution.ts';
import { readLog } from './read-log.ts';
import { readStream } from './read-stream.ts';

let database: TestDatabase;
let pool: pg.Pool;
let executor: CommandExecutor;

beforeEach(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  executor = startExecutor({ pool });
});
afterEach(async () => {
  await executor.close();
  await database.drop();
});

const WALLET = 'A'.repeat(43);
const STREAM = playerStream(WALLET);
const LIMITS = { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 };
const META = { correlation: 'test', actor: `player:${WALLET}` };
let keys = 0;

function login(wallet = WALLET): Execution<PlayerState, never, never> {
  const registration = {
    publicId: 'p1',
    welcomePointsMinor: 1_000n,
    activeHash: 'a'.repeat(64),
    nextHash: 'b'.repeat(64),
    clientSeed: 'seed',
  };
  const command = { type: 'StartSession', wallet, session: 's', registration } as const;
  return {
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: `login:${wallet}:${keys++}`,
    request: null,
    meta: META,
    prepare: async () => ({ command, configVersion: null }),
  } as never;
}

/** A bet in integer points that pays `payoutMinor`; the test chooses its draw. */
function bet(points: number, payoutMinor: bigint, options: { key?: string; stream?: string } = {}) {
  const stakeMinor = BigInt(points) * 100n;
  const key = options.key ?? `k${keys++}`;
  return {
    decider: playerDecider,
    stream: options.stream ?? STREAM,
    idempotencyKey: `command:${WALLET}:${key}`,
    request: { points, lines: 1 },
    meta: META,
    async prepare(state: PlayerState) {
      const { pair, nonce } = state.seeds ?? ({} as never);
      const command = {
        type: 'PlaceBet',
        game: 'test',
        rules: 't-1',
        lines: 1,
        stakeMinor,
        bigWinMultiple: 4,
      } as const;
      const draw = () => ({ outcome: { nonce }, payoutMinor });
      return { command: { ...command, pair, nonce, draw, limits: LIMITS }, configVersion: null };
    },
  } as const;
}

function done<S, E>(executed: Executed<S, E>) {
  if (executed.kind !== 'done') throw new Error(`expected done, got ${JSON.stringify(executed)}`);
  return executed;
}

const eventsOfPlayer = () => readStream(pool, { stream: STREAM, fromVersion: 1, limit: 1_000 });

describe('execute', () => {
  it('returns the events with their positions, and the current state equals a fold', async () => {
    const first = done(await executor.execute(login()));
    expect(first.events.map((placed) => placed.event)).toMatchObject([
      { type: 'PlayerRegistered' },
      { type: 'WelcomeGranted' },
      { type: 'SeedsCommitted' },
      { type: 'ClientSeedChanged' },
      { type: 'SessionStarted' },
    ]);
    expect(first).toMatchObject({ version: 5, position: 5, replayed: false });
    const second = done(await executor.execute(bet(1, 250n)));
    expect(second.events.map((placed) => placed.position)).toEqual([6, 7]);
    const stored = await readLog(pool, { from: 6, limit: 10 });
    expect(stored.map(({ body: _b, hash: _h, ...placed }) => placed)).toEqual(second.events);
    expect(await executor.currentState(playerDecider, STREAM)).toEqual({
      state: second.state,
      version: 7,
    });
  });

  it('a hundred parallel bets of a solvent player all get results, in order, without a gap', async () => {
    await executor.execute(login());
    const results = await Promise.all(
      Array.from({ length: 100 }, () => executor.execute(bet(1, 100n))),
    );
    const nonces = results.map((result) => {
      const [placed] = done(result).events;
      return placed?.event.type === 'BetPlaced' ? placed.event.data.nonce : -1;
    });
    expect(nonces).toEqual(Array.from({ length: 100 }, (_, i) => i));
    expect((await executor.currentState(playerDecider, STREAM)).state.pointsMinor).toBe(1_000n);
  });

  it('never stakes more than the balance in parallel bets', async () => {
    await executor.execute(login());
    const results = await Promise.all(
      Array.from({ length: 30 }, () => executor.execute(bet(1, 0n))),
    );
    const kinds = results.map((result) => result.kind);
    expect(kinds.slice(0, 10)).toEqual(Array(10).fill('done'));
    expect(results.slice(10)).toEqual(Array(20).fill(expect.objectContaining({ kind: 'refused' })));
    expect((await executor.currentState(playerDecider, STREAM)).state.pointsMinor).toBe(0n);
  });

  it('returns the first result again for the same key, and refuses the key for another request', async () => {
    await executor.execute(login());
    const first = done(await executor.execute(bet(10, 0n, { key: 'once' })));
    // The balance is 0: without its key this would be refused.
    const again = done(await executor.execute(bet(10, 500n, { key: 'once' })));
    expect(again).toMatchObject({
      replayed: true,
      version: first.version,
      position: first.position,
    });
    expect(again.events.map((e) => e.event)).toEqual(first.events.map((e) => e.event));
    expect(await executor.execute(bet(5, 0n, { key: 'once' }))).toEqual({ kind: 'key-reused' });
    expect(await eventsOfPlayer()).toHaveLength(7);
  });

  it('one key in ten parallel commands is one bet, and the commands after it get results', async () => {
    await executor.execute(login());
    const same = Array.from({ length: 10 }, () => executor.execute(bet(1, 0n, { key: 'same' })));
    const others = Array.from({ length: 5 }, () => executor.execute(bet(1, 0n)));
    const positions = (await Promise.all(same)).map((result) => done(result).position);
    expect(new Set(positions).size).toBe(1);
    for (const result of await Promise.all(others)) expect(result.kind).toBe('done');
    expect(await eventsOfPlayer()).toHaveLength(5 + 2 * 6);
  });

  it('two processes on one stream: every command gets a result, none is lost or doubled', async () => {
    await executor.execute(login());
    const other = startExecutor({ pool: database.pool('app') });
    const results = await Promise.all(
      Array.from({ length: 60 }, (_, i) => (i % 2 ? executor : other).execute(bet(1, 100n))),
    );
    await other.close();
    expect(new Set(results.map((result) => done(result).position)).size).toBe(60);
    const nonces = (await eventsOfPlayer()).flatMap(({ event }) =>
      event.type === 'BetPlaced' ? [event.data.nonce] : [],
    );
    expect(nonces).toEqual(Array.from({ length: 60 }, (_, i) => i));
  });

  it('a process without cached states reads those of many players in one query', async () => {
    const wallets = ['B', 'C', 'D', 'E'].map((letter) => letter.repeat(43));
    await Promise.all(wallets.map((wallet) => executor.execute(login(wallet))));
    await executor.execute(bet(1, 300n, { stream: playerStream(wallets[2] ?? '') }));
    const other = startExecutor({ pool });
    const queries = vi.spyOn(pool, 'query');
    const streams = [...wallets, 'F'.repeat(43)].map(playerStream);
    const states = await Promise.all(
      streams.map((stream) => other.currentState(playerDecider, stream)),
    );
    expect(queries).toHaveBeenCalledTimes(1);
    const points = states.map(({ state }) => state.pointsMinor);
    expect(points).toEqual([1_000n, 1_000n, 1_200n, 1_000n, 0n]);
    expect(states.at(-1)?.version).toBe(0);
    await other.close();
  });

  it('a clock that differs by more than 30 s appends nothing, and finds what was appended', async () => {
    await executor.execute(login());
    const first = bet(1, 100n);
    await executor.execute(first);
    const faults: unknown[] = [];
    const skewed = startExecutor({ pool, onClockFault: (fault) => void faults.push(fault) });
    const { now } = Date;
    const clock = vi.spyOn(Date, 'now');
    for (const skewMs of [40_000, -40_000]) {
      clock.mockImplementation(() => now() + skewMs);
      await expect(skewed.execute(bet(1, 0n))).rejects.toThrow(ClockSkew);
      expect(await skewed.execute(first)).toMatchObject({ kind: 'done', replayed: true });
    }
    const where = expect.closeTo(40_000, -4);
    expect(faults).toContainEqual({ skewMs: where });
    clock.mockRestore();
    expect(await eventsOfPlayer()).toHaveLength(7);
    await skewed.execute(bet(1, 0n));
    expect(await eventsOfPlayer()).toHaveLength(9);
    await skewed.close();
  });

  it('a process suspended between its command and the append retries', async () => {
    const clock = vi.spyOn(Date, 'now').mockReturnValueOnce(0);
    expect((await executor.execute(login())).kind).toBe('done');
    clock.mockRestore();
  });

  it('a refusal decided on a stale state is decided again', async () => {
    await executor.execute(login());
    const other = startExecutor({ pool: database.pool('app') });
    await other.execute(bet(1, 5_000n)); // `executor` has 10 points in its cached state
    await other.close();
    expect((await executor.execute(bet(20, 0n))).kind).toBe('done');
    expect(await executor.execute(bet(500, 0n))).toMatchObject({
      kind: 'refused',
      rejection: { rejected: 'insufficient-points', detail: { pointsMinor: 3_900n } },
    });
  });

  it('only the command that cannot be prepared or is not plain text fails', async () => {
    await executor.execute(login());
    const broken = { ...bet(1, 0n), prepare: () => Promise.reject(new Error('no seed')) };
    const poison = bet(1, 0n);
    const unplain = {
      ...poison,
      async prepare(state: PlayerState) {
        const prepared = await poison.prepare(state);
        const draw = () => ({ outcome: { x: 'a\u0000' }, payoutMinor: 0n });
        return { ...prepared, command: { ...prepared.command, draw } };
      },
    };
    const results = await Promise.allSettled([
      executor.execute(bet(1, 0n)),
      executor.execute(broken),
      executor.execute(unplain),
      executor.execute(bet(1, 0n)),
    ]);
    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
      'fulfilled',
    ]);
    expect(await eventsOfPlayer()).toHaveLength(9);
  });

  it('a command prepared under a stale configuration reloads it and is retried', async () => {
    let known = 0;
    let reloads = 0;
    const stale = startExecutor({
      pool,
      onStaleConfig: async () => {
        reloads++;
        known = (await executor.currentState(configDecider, 'config')).version;
      },
    });
    await executor.execute(configure(defaultConfig));
    await executor.execute(login());
    const one = bet(1, 0n);
    const result = await stale.execute({
      ...one,
      async prepare(state: PlayerState) {
        const prepared = await one.prepare(state);
        return 'command' in prepared ? { ...prepared, configVersion: known } : prepared;
      },
    });
    await stale.close();
    expect(done(result).events).toHaveLength(2);
    expect(reloads).toBe(1);
  });

  it('a connection cut at any point loses and doubles nothing', async () => {
    await executor.execute(login());
    const owner = database.pool('owner');
    const results = Array.from({ length: 200 }, () => executor.execute(bet(1, 100n)));
    for (let cut = 0; cut < 5; cut++) {
      await owner.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and application_name = 'reelbook-test-app'`,
      );
    }
    const positions = (await Promise.all(results)).map((result) => done(result).position);
    expect(new Set(positions).size).toBe(200);
    expect(await eventsOfPlayer()).toHaveLength(5 + 400);
  });
});

function configure(config: Config) {
  const knownRules = { 'slot-machine': ['slot-1'] };
  const shell = { by: 'system:test', adminsEver: 0 };
  const command = { type: 'ChangeConfig', config, reason: 'test', knownRules, ...shell } as const;
  return {
    decider: configDecider,
    stream: 'config',
    idempotencyKey: `config:${keys++}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:test' },
    prepare: async () => ({ command, configVersion: null }),
  };
}
