import { setTimeout as sleep } from 'node:timers/promises';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { playerStream } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Overloaded } from './append.ts';
import { type CommandExecutor, startExecutor } from './execute.ts';
import { readHead, readLog } from './read-log.ts';

const WALLET = walletOf(1);
const LIMITS = { enabled: true, minStakeMinor: 100n, maxStakeMinor: 100_000n, maxLines: 25 };
const EXECUTORS = 5;
const REGISTERED = 5; // events of a registration

let database: TestDatabase;
let pool: pg.Pool;
let executors: CommandExecutor[];
let keys = 0;

beforeEach(async () => {
  database = await createDatabase();
  pool = database.pool('app');
  executors = Array.from({ length: EXECUTORS }, () =>
    startExecutor({ pool: database.pool('app', 3) }),
  );
  const history = createHistory();
  history.register(WALLET);
  await history.appendTo(pool);
});
afterEach(async () => {
  await Promise.all(executors.map((executor) => executor.close()));
  await database.drop();
});

/** A lost bet in integer points. */
function bet(points: number, correlation = 'test', shown: object = {}) {
  const stakeMinor = BigInt(points) * 100n;
  return {
    decider: playerDecider,
    stream: playerStream(WALLET),
    idempotencyKey: `command:${WALLET}:${keys++}`,
    request: points,
    meta: { correlation, actor: `player:${WALLET}` },
    async prepare(state: PlayerState) {
      const wish = { stakeMinor, lines: 1, limits: LIMITS };
      const { pair, nonce } = state.seeds ?? ({} as never);
      const draw = () => ({ outcome: { ...shown }, payoutMinor: 100n });
      const command = {
        type: 'PlaceBet',
        game: 'test',
        rules: 't-1',
        bigWinMultiple: 4,
        ...wish,
        pair,
        nonce,
        draw,
      } as const;
      return { command, configVersion: null };
    },
  };
}

const kindsOf = async (results: Promise<{ kind: string }>[]) => {
  const counts: Record<string, number> = {};
  for (const result of await Promise.allSettled(results)) {
    const kind = result.status === 'fulfilled' ? result.value.kind : String(result.reason);
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};

describe('a stream with constant appends', () => {
  it('a refusal among many accepted bets is returned as a refusal', async () => {
    const [executor] = executors;
    const bets = Array.from({ length: 640 }, (_, i) => executor?.execute(bet(i === 5 ? 1_001 : 1)));
    expect(await kindsOf(bets as never)).toEqual({ done: 639, refused: 1 });
  });

  it('five processes on one stream all get their results', async () => {
    const bets: Promise<{ kind: string }>[] = [];
    const playOn = async (executor: CommandExecutor) => {
      for (let n = 0; n < 40; n++) {
        const command = bet(1);
        const retried = async (): Promise<{ kind: string }> =>
          executor.execute(command).catch((error: unknown) => {
            // As a client does: on a starved machine a command may lose all of its races.
            if (error instanceof Overloaded) return retried();
            throw error;
          });
        const answer = retried();
        bets.push(answer);
        await answer.catch(() => {});
      }
    };
    await Promise.all(executors.map(playOn));
    expect(await kindsOf(bets)).toEqual({ done: 200 });
    expect(await readHead(pool)).toMatchObject({ position: REGISTERED + 400 });
  });

  it('a slow command of an executor that reserves is decided three times at most', async () => {
    const [players] = executors;
    const reserving = startExecutor({ pool: database.pool('app', 3), reserves: true });
    let isOver = false;
    const loops = Array.from({ length: 24 }, async () => {
      while (!isOver) await players?.execute(bet(1)).catch(() => {});
    });
    const slow = async (isRefused: boolean) => {
      let decisions = 0;
      const command = bet(isRefused ? 1_001 : 1);
      const { kind } = await reserving.execute({
        ...command,
        async prepare(state) {
          // Without a reservation, a bet is appended meanwhile.
          const { position } = await readHead(pool);
          if (decisions++ === 0)
            await expect
              .poll(async () => (await readHead(pool)).position, WAIT)
              .toBeGreaterThan(position);
          else await sleep(200);
          return command.prepare(state);
        },
      });
      return [kind, decisions > 1 && decisions <= 3];
    };
    const ends = [
      ...(await Promise.allSettled([slow(false)])),
      ...(await Promise.allSettled([slow(true)])),
    ];
    // Released: the players' commands go on.
    const last = await players?.execute(bet(1));
    isOver = true;
    await Promise.all(loops);
    await reserving.close();
    expect(ends).toMatchObject([{ value: ['done', true] }, { value: ['refused', true] }]);
    expect(last).toMatchObject({ kind: 'done' });
  });

  it('two executors that reserve both get their results, and one whose process ended holds for a limited time', async () => {
    const reserving = [0, 1].map(() =>
      startExecutor({ pool: database.pool('app', 3), reserves: true }),
    );
    const own = Array.from({ length: 20 }, () =>
      reserving.map((executor) => executor.execute(bet(1))),
    ).flat();
    expect(await kindsOf(own)).toEqual({ done: 40 });
    for (const executor of reserving) await executor.close();
    const reserve = (command: string, seconds: number) =>
      pool.query('select reserve_stream(stream_key($1), stream_key($2), $3)', [
        playerStream(WALLET),
        command,
        seconds,
      ]);
    await reserve('ended', 3600);
    await reserve('another', 3600);
    const { rows } = await pool.query(
      `select reserved_for = stream_key('ended') as is_first,
          reserved_until < clock_timestamp() + interval '11 s' as is_short
        from streams where key = stream_key($1)`,
      [playerStream(WALLET)],
    );
    expect(rows).toEqual([{ is_first: true, is_short: true }]);
    let decisions = 0;
    const command = bet(1);
    const waiting = executors[0]?.execute({
      ...command,
      prepare(state) {
        decisions++;
        return command.prepare(state);
      },
    });
    await expect.poll(() => decisions, WAIT).toBeGreaterThan(2);
    await reserve('ended', 0);
    expect(await waiting).toMatchObject({ kind: 'done' });
  });

  it('a reservation ends with a command that ends by an error', async () => {
    const reserving = startExecutor({
      pool: database.pool('app', 3),
      reserves: true,
      fromEvents: true,
    });
    const command = bet(1);
    const failed = reserving.execute({
      ...command,
      async prepare(state) {
        // It loses the race, and finds a state that differs from the events.
        await executors[0]?.execute(bet(1));
        await database
          .pool('owner')
          .query(`update streams set state = '{}' where name = $1`, [playerStream(WALLET)]);
        return command.prepare(state);
      },
    });
    await expect(failed).rejects.toThrow();
    await reserving.close();
    const { rows } = await pool.query(
      'select reserved_until > clock_timestamp() as is_reserved from streams where name = $1',
      [playerStream(WALLET)],
    );
    expect(rows).not.toContainEqual({ is_reserved: true });
  });

  it('an append cancelled by the lock timeout is retried', async () => {
    const owner = database.pool('owner');
    const session = await owner.connect();
    await session.query('begin');
    await session.query('select from ledger_head for update');
    const bets = [1, 1, 1].map((points) => executors[0]?.execute(bet(points)));
    await expect.poll(async () => (await owner.query(CANCEL)).rowCount).toBeGreaterThan(0);
    await session.query('commit');
    session.release();
    expect(await kindsOf(bets as never)).toEqual({ done: 3 });
  });

  it('only the command with an invalid correlation id fails', async () => {
    const bets = [bet(1), bet(1, 'a\u0000'), bet(1, '\ud800'), bet(1)];
    const results = await Promise.allSettled(bets.map((one) => executors[0]?.execute(one)));
    const expected = ['fulfilled', 'rejected', 'rejected', 'fulfilled'];
    expect(results.map((result) => result.status)).toEqual(expected);
    expect(await readLog(pool, { from: 1, limit: 100 })).toHaveLength(REGISTERED + 4);
  });

  it('only the command with an outcome that the codec cannot decode fails, before it is appended', async () => {
    const bets = [bet(1, 'test', { rowMinor: 'two pairs' }), bet(1)];
    const results = await Promise.allSettled(bets.map((one) => executors[0]?.execute(one)));
    expect(results.map((result) => result.status)).toEqual(['rejected', 'fulfilled']);
    expect(await readLog(pool, { from: 1, limit: 100 })).toHaveLength(REGISTERED + 2);
  });
});

const CANCEL = `select pg_cancel_backend(pid) from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;
