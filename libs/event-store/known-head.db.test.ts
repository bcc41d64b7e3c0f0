import { operatorsDecider } from '@reelbook/ledger/operators/decide';
import { RESTORED_COMMAND } from '@reelbook/ledger/operators/restores';
import { OPERATORS_STREAM } from '@reelbook/ledger/streams';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { createHistory, walletOf } from '@reelbook/testing/history';
import { addOperator } from '@reelbook/testing/operators';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createInProcessBus } from './bus/in-process.ts';
import { isUnavailable } from './db.ts';
import { startExecutor } from './execute.ts';
import { compareHead, compareWithBus, readEpoch, WentBack, watchHead } from './known-head.ts';
import { readHead } from './read-log.ts';

const anna = walletOf(1);

let database: TestDatabase;
let history: ReturnType<typeof createHistory>;
/** Of the process that is examined. */
let pool: pg.Pool;
let stop: AbortController;
const failed = vi.fn();
beforeEach(async () => {
  database = await createDatabase();
  stop = new AbortController();
  failed.mockReset();
  pool = watched();
  history = createHistory();
  history.register(anna, 100_000_000n);
  await history.appendTo(pool);
});
afterEach(async () => {
  stop.abort();
  await database.drop();
});

function watched(): pg.Pool {
  const opened = database.pool('app', 3);
  watchHead(opened, { signal: stop.signal, fail: failed });
  return opened;
}

/** Of a process that has seen nothing. */
const other = () => database.pool('app', 1);

async function bet(through: pg.Pool): Promise<number> {
  history.bet(anna, 100n, 0n);
  return history.appendTo(through);
}

async function recordRestore(): Promise<void> {
  const { position, hash } = await readHead(other());
  const loss = { position, hash, lostTo: position, payments: [], anchors: [] };
  const restore = { type: 'RestoreLedger', loss, by: RESTORED_COMMAND, reason: 'a test' } as const;
  const executor = startExecutor({ pool: other() });
  await executor.execute({
    decider: operatorsDecider,
    stream: OPERATORS_STREAM,
    idempotencyKey: null,
    request: null,
    meta: { correlation: 'test', actor: RESTORED_COMMAND },
    prepare: async () => ({ command: restore, configVersion: null }),
  });
  await executor.close();
}

const refused = async (act: () => Promise<unknown>) => {
  const error = await act().catch((error: unknown) => error);
  expect(error).toBeInstanceOf(WentBack);
  expect(isUnavailable(error)).toBe(true);
  return (error as WentBack).message;
};

test.each([
  ['an own append', () => bet(pool)],
  [
    'a comparison, as every second',
    async () => {
      const position = await bet(other());
      await compareHead(pool);
      return position;
    },
  ],
])(
  'a ledger that is shorter than that of %s is refused, and nothing is written',
  async (_what, learn) => {
    const { position } = await readHead(pool);
    const kept = await database.keepCopy();
    const lost = await learn();
    await kept.goBack();
    const why = `the ledger went back: it ends at #${position}, and #${lost} was known`;
    expect(await refused(() => readHead(pool))).toContain(why);
    expect(await refused(() => bet(pool))).toContain('npm run reelbook -- restored');
    expect(await readHead(other())).toMatchObject({ position });
    expect(failed).not.toHaveBeenCalled();
  },
);

test('a ledger that has other events since is refused, also when it is longer', async () => {
  const kept = await database.keepCopy();
  const lost = await bet(pool);
  await kept.goBack();
  for (let n = 2; n < 5; n++) await addOperator(other(), walletOf(n), 'viewer');
  expect((await readHead(other())).position).toBeGreaterThan(lost);
  expect(await refused(() => readHead(pool))).toContain(
    `it has another event at #${lost} than before`,
  );
});

describe('a process that starts after the loss', () => {
  /** A ledger that lost `lost` and has other events since, and the bus that ends with it. */
  async function afterLoss() {
    const kept = await database.keepCopy();
    const lost = await bet(other());
    const { hash } = await readHead(other());
    const bus = createInProcessBus();
    const command = { stream: 'seals', firstPosition: lost, bodies: ['{}'], hash };
    await bus.publish([{ ...command, previousHash: 'ab'.repeat(32) }]);
    return { kept, lost, bus };
  }

  test.each([0, 3])('refuses it by the stream of NATS, also with %i events since', async (more) => {
    const { kept, lost, bus } = await afterLoss();
    await kept.goBack();
    for (let n = 0; n < more; n++) await addOperator(other(), walletOf(n + 2), 'viewer');
    const fresh = watched();
    // An open connection, and a head that was compared before.
    await compareHead(fresh);
    await compareWithBus(fresh, bus, stop.signal);
    expect(await refused(() => readHead(fresh))).toContain(`#${lost}`);
    expect(await refused(() => bet(fresh))).toContain('the ledger went back');
    expect(await refused(() => compareHead(fresh))).toContain('the ledger went back');
  });

  test('refuses it as soon as a NATS that was away responds', async () => {
    const { kept, lost, bus } = await afterLoss();
    await kept.goBack();
    const handlers: (() => void)[] = [];
    const onReconnect = (handler: () => void) => {
      handlers.push(handler);
      return { close() {} };
    };
    const fresh = watched();
    await compareWithBus(fresh, { ...bus, onReconnect, healthy: () => false }, stop.signal);
    await readHead(fresh);
    for (const handler of handlers) handler();
    await expect
      .poll(() => readHead(fresh).then(() => '', String), WAIT)
      .toContain(`and #${lost} was known`);
  });

  test('waits for the first answer of a NATS that is connected, and for a database that is away', async () => {
    const { kept, lost, bus } = await afterLoss();
    await kept.goBack();
    let failures = 0;
    const lastStored = async () => {
      if (++failures < 3) throw new Error('the stream has no leader');
      return bus.lastStored();
    };
    const fresh = watched();
    await compareWithBus(fresh, { ...bus, lastStored }, stop.signal);
    expect(await refused(() => bet(fresh))).toContain(`and #${lost} was known`);
    const later = watched();
    const connect = vi.spyOn(later, 'connect').mockImplementationOnce(() => {
      throw new Error('Connection terminated');
    });
    await compareWithBus(later, bus, stop.signal);
    await expect.poll(() => connect.mock.calls.length, WAIT).toBeGreaterThan(1);
    expect(await refused(() => bet(later))).toContain(`and #${lost} was known`);
  });

  test('goes on when the stream of another ledger was reset', async () => {
    const { kept, bus } = await afterLoss();
    await kept.goBack();
    const fresh = watched();
    await compareWithBus(fresh, bus, stop.signal);
    await refused(() => readHead(fresh));
    await bus.reset();
    await expect.poll(() => readHead(fresh).catch(() => null), WAIT).not.toBeNull();
    await addOperator(fresh, walletOf(2), 'viewer');
    await compareHead(fresh);
  });

  test('closes also the connections that were in use', async () => {
    const { kept, bus } = await afterLoss();
    await kept.goBack();
    const fresh = watched();
    const used = await fresh.connect();
    await compareWithBus(fresh, bus, stop.signal);
    await refused(() => compareHead(fresh));
    used.release();
    await refused(() => fresh.query('select'));
  });

  test('goes on by itself when the lost events are back, and never refuses what NATS has', async () => {
    const { kept, lost, bus } = await afterLoss();
    const full = await database.keepCopy();
    const before = watched();
    await compareWithBus(before, bus, stop.signal);
    await bet(before);
    await kept.goBack();
    const fresh = watched();
    await compareWithBus(fresh, bus, stop.signal);
    await refused(() => readHead(fresh));
    await full.goBack();
    await expect.poll(() => readHead(fresh).then(({ position }) => position), WAIT).toBe(lost);
    await compareHead(fresh);
    expect(failed).not.toHaveBeenCalled();
  });
});

test('a higher epoch ends each process once, also one that knows nothing of what was lost', async () => {
  await readHead(pool);
  const kept = await database.keepCopy();
  await bet(pool);
  await kept.goBack();
  await refused(() => readHead(pool));
  // Opened now: it would have seen the bet within a second.
  await readHead(watched());
  expect(failed).not.toHaveBeenCalled();
  await recordRestore();
  await expect.poll(() => failed.mock.calls.length, WAIT).toBe(2);
  expect(String(failed.mock.calls[0])).toContain('epoch 1: this process has to start again');
  await refused(() => readHead(pool));
  expect(await readEpoch(watched())).toBe(1);
  expect(failed).toHaveBeenCalledTimes(2);
});

test('an epoch in a stored state, or one that was known before, accepts nothing', async () => {
  await recordRestore();
  await expect.poll(() => failed.mock.calls.length, WAIT).toBe(1);
  const kept = await database.keepCopy();
  await bet(pool);
  await kept.goBack();
  await database
    .pool('owner', 1)
    .query(`update streams set state = '{"restores":{"epoch":9}}' where name = 'operators'`);
  await refused(() => readHead(pool));
  expect(failed).toHaveBeenCalledTimes(1);
});

test('a ledger that only lost its connections is accepted', async () => {
  await bet(pool);
  const kept = await database.keepCopy();
  await kept.goBack();
  await expect
    .poll(() => readHead(pool).then(({ position }) => position), WAIT)
    .toBe((await readHead(other())).position);
  await bet(pool);
  expect(failed).not.toHaveBeenCalled();
});

test('asks once at a time: a slow database gets no more connections', () => {
  vi.useFakeTimers({ toFake: ['setInterval'] });
  const asking = watched();
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  expect(asking.totalCount).toBe(1);
});
