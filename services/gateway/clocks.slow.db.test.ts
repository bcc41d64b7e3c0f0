/** The clock of Postgres is shifted while a player is excluded and another has a limit. */
import { randomBytes } from 'node:crypto';
import { auditLedger } from '@reelbook/audit/audit';
import type { StartResult } from '@reelbook/contract/player/games';
import type { Protection } from '@reelbook/contract/player/protection';
import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { openPool } from '@reelbook/event-store/db';
import { readHead } from '@reelbook/event-store/read-log';
import { openSeedVault } from '@reelbook/event-store/seed-vault';
import { openLog } from '@reelbook/runtime/log';
import { workOut } from '@reelbook/simulator/client/work-out';
import { changedToken } from '@reelbook/simulator/stages/changed-token';
import {
  faketimeAvailable,
  type ShiftedPostgres,
  startShiftedPostgres,
} from '@reelbook/testing/shifted-postgres';
import { createWallet, TEST_ORIGIN } from '@reelbook/testing/wallets';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { startGateway } from './gateway.ts';

const machineNow = Date.now;
const HOUR_MS = 3_600_000;
/** Far from the ends of a day, a week and a month. */
const NOON = Date.parse('2028-02-29T12:00:00.000Z');
const SETTINGS = {
  host: '127.0.0.1',
  port: 0,
  publicOrigin: TEST_ORIGIN,
  seedKeyId: 'test',
  localChain: true,
  gameTickMs: 1,
  sessionKey: randomBytes(32),
  receiptKey: randomBytes(32),
  seedKey: randomBytes(32),
  webRoot: null,
};

interface Answer {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly message: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test names the fields that it reads
  readonly data: any;
}
type Player = (path: string, body?: unknown, method?: string) => Promise<Answer>;

describe.runIf(faketimeAvailable())('clocks that differ', () => {
  let postgres: ShiftedPostgres;
  let pool: pg.Pool;
  let gateway: Awaited<ReturnType<typeof startGateway>>;
  let atStartMs: number;
  let logged: string[];
  let excluded: Player;
  let limited: Player;
  const closers: (() => Promise<unknown>)[] = [];

  /** Sets both clocks, to these distances from NOON. */
  function setClocks(postgresMs: number, processMs = 0): void {
    postgres.shift(atStartMs + postgresMs);
    vi.spyOn(Date, 'now').mockImplementation(() => machineNow() + atStartMs + processMs);
  }

  const send = async (
    path: string,
    options: { body?: unknown; token?: string; method?: string },
  ) => {
    const response = await fetch(gateway.url + path, {
      method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
      headers: {
        ...(options.body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(options.token ? { authorization: `Bearer ${options.token}` } : {}),
      },
      ...(options.body === undefined ? {} : { body: JSON.stringify(options.body) }),
    });
    const content = (await response.json()) as Omit<Answer, 'status' | 'retryAfter'>;
    const retryAfter = response.headers.get('retry-after');
    return { ...content, status: response.status, retryAfter };
  };
  const signIn = () => send('/api/v1/auth/login', { body: createWallet().login(Date.now()) });

  const setSessions = (life: string) =>
    pool.query('update sessions set refreshed_at = created_at + $1::interval', [life]);

  async function login(): Promise<Player> {
    const { status, data } = await signIn();
    expect(status).toBe(200);
    // Sessions use only the clock of Postgres and are not tested here.
    await setSessions('10 days');
    const token = changedToken(SETTINGS.sessionKey, data.token, ({ endsAtMs }) => ({
      endsAtMs: endsAtMs + 240 * HOUR_MS,
    }));
    return (path, body, method) =>
      send(`/api/v1${path}`, { body, token, ...(method ? { method } : {}) });
  }

  const bet = (player: Player, points: number) =>
    player('/game/slot-machine/bet', { bet_amount: points });
  const ready = async () => (await fetch(`${gateway.url}/ready`)).json();
  const metrics = () =>
    gateway.registry.getSingleMetricAsString('reelbook_clock_difference_seconds');

  /** A gateway keeps a reading of Postgres' clock for a second. Returns after the next reading. */
  async function readAgain(): Promise<void> {
    const queries = vi.spyOn(pool, 'query');
    const names = () => queries.mock.calls.map(([query]) => (query as { name?: string }).name);
    await expect
      .poll(async () => {
        await excluded('/user/protection');
        return names();
      })
      .toContain('ledger-time');
    queries.mockRestore();
  }

  async function expectProtected(): Promise<void> {
    await readAgain();
    expect(await bet(excluded, 1)).toMatchObject({
      status: 403,
      data: { error: 'self-excluded' },
    });
    const { exclusion } = (await excluded('/user/protection')).data as Protection;
    expect(exclusion).not.toBeNull();
    expect(await bet(limited, 6)).toMatchObject({
      status: 422,
      data: { error: 'wager-limit-reached', left: 5 },
    });
  }

  async function expectClean(): Promise<void> {
    await setSessions('0 hours');
    const vault = openSeedVault({ pool, key: SETTINGS.seedKey, keyId: SETTINGS.seedKeyId });
    const { findings } = await auditLedger({ pool, vault, onProgress: () => {} });
    expect(findings.kept).toEqual([]);
  }

  beforeEach(async () => {
    atStartMs = NOON - machineNow();
    postgres = await startShiftedPostgres();
    setClocks(0);
    closers.push(postgres.stop);
    pool = openPool({ url: postgres.url, role: 'app', max: 4, name: 'clocks' });
    closers.push(() => pool.end());
    const bus = createInProcessBus();
    closers.push(bus.close);
    logged = [];
    const log = openLog({
      name: 'clocks',
      level: 'warn',
      sink: { write: (line) => void logged.push(line) },
    });
    gateway = await startGateway({ pool, bus, log, settings: SETTINGS });
    closers.push(gateway.close);
    [excluded, limited] = [await login(), await login()];
    expect((await excluded('/user/protection/exclusion', { term: '24h' })).status).toBe(200);
    const limit = { limit: 'wager', period: 'day', amount: 20 };
    expect((await limited('/user/protection/limits', limit, 'PUT')).status).toBe(200);
    expect((await bet(limited, 15)).status).toBe(200);
    await expectProtected();
  });
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
    vi.restoreAllMocks();
  });

  test.each([2, 25, -2, -25])(
    'Postgres %i h away: nothing is appended, no exclusion or limit ends, and it recovers',
    async (hours) => {
      const { position } = await readHead(pool);
      setClocks(hours * HOUR_MS);
      await expectProtected();
      for (const refused of [await bet(limited, 1), await signIn()]) {
        expect(refused).toMatchObject({ status: 503, data: { error: 'clock-skew' } });
        expect(Number(refused.retryAfter)).toBeGreaterThan(0);
      }
      expect((await readHead(pool)).position).toBe(position);
      const where = hours > 0 ? 'behind' : 'ahead of';
      expect(await ready()).toMatchObject({
        status: 'unavailable',
        checks: {
          clocks: expect.stringMatching(
            `^the clock of this process is \\d+ s ${where} the clock of Postgres$`,
          ),
        },
      });
      expect(await metrics()).toMatch(
        hours > 0
          ? /difference_seconds\{.*skew.*\} -\d{4}/
          : /difference_seconds\{.*skew.*\} \d{4}/,
      );
      expect(logged.join()).toContain('appends are refused');

      setClocks(0);
      await expectProtected();
      expect((await bet(limited, 1)).status).toBe(200);
      expect(await ready()).toMatchObject({ status: 'ok', checks: { clocks: null } });
      await expectClean();
    },
  );

  test('a difference of 29 s is accepted, one of 31 s is refused', async () => {
    setClocks(29_000);
    // A process that stood still while it read the clock knows it less exactly, and reads it again.
    const status = async () => (await bet(limited, 1)).status;
    await expect.poll(status).toBe(200);
    setClocks(0, 31_000);
    await expect.poll(status).toBe(503);
    setClocks(0);
    // The exclusion ends by the clock that is behind.
    const { exclusion } = (await excluded('/user/protection')).data as Protection;
    const untilMs = Date.parse(exclusion?.until ?? '');
    const toEnd = () => untilMs - machineNow() - atStartMs;
    setClocks(toEnd() + 1_000, toEnd() - 19_000);
    await readAgain();
    expect((await bet(excluded, 1)).status).toBe(403);
    setClocks(toEnd() - 19_000, toEnd() + 1_000);
    await readAgain();
    expect((await bet(excluded, 1)).status).toBe(403);
    await expectClean();
  });

  test('a ledger ahead of both clocks accepts appends at a constant time, and ends nothing early', async () => {
    setClocks(24.5 * HOUR_MS, 24.5 * HOUR_MS);
    await login();
    const { time } = await readHead(pool);
    expect(Date.parse(time ?? '')).toBeGreaterThanOrEqual(NOON + 24.5 * HOUR_MS);
    setClocks(0);

    await expectProtected();
    expect((await bet(limited, 1)).status).toBe(200);
    expect(await bet(limited, 5)).toMatchObject({ status: 422, data: { left: 4 } });
    const other = await login();
    const { data } = await other('/user/protection/exclusion', { term: '24h' });
    const untilMs = Date.parse((data as Protection).exclusion?.until ?? '');
    expect(Math.abs(untilMs - NOON - 24 * HOUR_MS)).toBeLessThan(HOUR_MS);
    expect((await readHead(pool)).time).toBe(time);

    // A timed round ends on time.
    const player = await login();
    const begun = (await player('/game/tetris/start', undefined, 'POST')).data as StartResult;
    const { figures } = workOut(begun);
    await expect.poll(async () => (await player('/game/tetris/play', figures)).status).toBe(200);
    expect((await readHead(pool)).time).toBe(time);

    expect(await ready()).toMatchObject({
      status: 'ok',
      checks: {
        clocks: null,
        'ledger-time': expect.stringMatching(/^the last event is \d+ s ahead of the clocks$/),
      },
    });
    expect(await metrics()).toMatch(/difference_seconds\{.*ledger-ahead.*\} 8\d{4}/);
    expect(logged.join()).toContain('the ledger is ahead of the clocks');
    await expectClean();
  });
});
