import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { openPool } from '@reelbook/event-store/db';
import { chainHash } from '@reelbook/event-store/hash-chain';
import { readHead } from '@reelbook/event-store/read-log';
import { projections } from '@reelbook/projections/all';
import { balances } from '@reelbook/projections/balances/projection';
import type { Projection } from '@reelbook/projections/projection';
import { transact } from '@reelbook/projections/run';
import { NO_LAG } from '@reelbook/simulator/stages/lag';
import {
  closers,
  ledger,
  projecting,
  publishing,
  useProjectedLedger,
} from '@reelbook/simulator/stages/projected-ledger';
import { WAIT } from '@reelbook/testing/wait';
import type pg from 'pg';
import { expect, test, vi } from 'vitest';

/** Longer than a test on any machine: only the test takes leases away. */
const LONG_LEASE = { leaseMs: 600_000 };

useProjectedLedger();

/** `balances`, but unable to apply one position while `poisoned` is set. */
function poisonable(at: { position: number | null }): Projection {
  return {
    ...(balances as Projection),
    fold(events) {
      if (events.some((event) => event.position === at.position)) throw new Error('poison');
      return balances.fold(events);
    },
  };
}

test('an unknown projection fails the start and lists the known ones', async () => {
  const started = projecting({ bus: createInProcessBus(), names: ['balances', 'balance'] });
  await expect(started).rejects.toThrow(
    'PROJECTIONS names "balance", which does not exist. Known projections: balances, ',
  );
});

test('poison stops its projection at the event, the others continue; after a fix it resumes', async () => {
  const bus = createInProcessBus();
  const poison = { position: 130 as number | null };
  const others = projections.filter((one) => one.name !== 'balances');
  const registry = [poisonable(poison), ...others];
  // Half a batch after the other, a dozen times: each reading of the clock would be late.
  const projector = await projecting({ bus, projections: registry, timing: NO_LAG });
  await publishing(bus);
  const names = others.map((one) => one.name);
  const head = await ledger.play(100);
  await ledger.reached(head, names);
  await vi.waitFor(async () => {
    expect(await ledger.checkpoint('balances')).toMatchObject({
      position: 129,
      status: 'stopped',
      error: 'position 130: Error: poison',
    });
  }, WAIT);
  const first = () => projector.status()[0];
  await expect.poll(first).toMatchObject({ state: 'stopped', failing: 'Error: poison' });
  const later = await ledger.play(10);
  await ledger.reached(later, names);
  expect((await ledger.checkpoint('balances'))?.position).toBe(129);
  poison.position = null;
  const owner = ledger.database.pool('owner');
  await owner.query(
    "update checkpoints set status = 'running', error = null where status <> 'running'",
  );
  await ledger.reached(later);
  await ledger.expectReplaysEqual();
  await expect.poll(first).toMatchObject({ state: 'working', failing: null });
});

test.each([
  ['1.5', '1.5 to a BigInt'],
  ['\\u0000', '\\? to a BigInt'],
  ['x'.repeat(20_000), 'x{900,1000}$'],
])(
  'an event that cannot be read (%#) stops the projections at it; after it is restored they resume',
  async (stake, named) => {
    const head = await ledger.play(20);
    const owner = ledger.database.pool('owner');
    const { rows } = await owner.query<{ position: number; body: string }>(
      "select position, body from events where type = 'BetPlaced' order by position offset 5 limit 1",
    );
    const { position = 0, body = '' } = rows[0] ?? {};
    const write = (text: string) =>
      transact(owner, "begin; set local session_replication_role = 'replica'", async (client) => {
        await client.query('update events set body = $2 where position = $1', [position, text]);
      });
    await write(body.replace(/"stakeMinor":"\d+"/, `"stakeMinor":"${stake}"`));
    await projecting({ bus: createInProcessBus(), timing: NO_LAG });
    const error = expect.stringMatching(
      `^position ${position}: Bug: #${position} cannot be read: SyntaxError: Cannot convert ${named}`,
    );
    await vi.waitFor(async () => {
      for (const { name } of projections) {
        const stopped = { position: position - 1, status: 'stopped', error };
        expect(await ledger.checkpoint(name)).toMatchObject(stopped);
      }
    }, WAIT);
    await write(body);
    await owner.query("update checkpoints set status = 'running', error = null");
    await ledger.reached(head);
    await ledger.expectReplaysEqual();
  },
);

test('a projection that failed and was taken over shows no failure here', async () => {
  const busy = Object.assign(new Error('too many connections'), { code: '53300' });
  const failing: Projection = { ...(balances as Projection), apply: () => Promise.reject(busy) };
  // Renewed so often that the loss is found immediately.
  const timing = { leaseMs: 30, standbyMs: 600_000 };
  const bus = createInProcessBus();
  const projector = await projecting({ bus, projections: [failing], timing });
  await ledger.play(1);
  await vi.waitFor(() => {
    expect(projector.status()).toMatchObject([{ state: 'working', failing: 'balances failed' }]);
  }, WAIT);
  await ledger.database.pool('owner').query(
    `update checkpoints set lease_epoch = lease_epoch + 1, holder = 'another',
      lease_until = now() + interval '1 h' where name = 'balances'`,
  );
  await vi.waitFor(() => {
    expect(projector.status()).toMatchObject([{ state: 'standby', failing: null }]);
  }, WAIT);
});

test('all projections are applied in one transaction; a late one joins them', async () => {
  const bus = createInProcessBus();
  await publishing(bus);
  const late = balances as Projection;
  const others = projections.filter((one) => one !== late);
  await (await reachedBy(others)).close();
  await projecting({ bus, timing: NO_LAG });
  await ledger.reached(await ledger.play(700));
  const transactions = async () => {
    await ledger.reached(await ledger.play(1));
    const { rows } = await ledger.database
      .pool('app')
      .query<{ writes: number }>(
        'select count(distinct xmin::text)::int as writes from checkpoints',
      );
    return rows[0]?.writes;
  };
  // The publisher has a checkpoint as well.
  await expect.poll(transactions).toBe(2);
  await ledger.expectReplaysEqual();

  async function reachedBy(registry: readonly Projection[]) {
    const projector = await projecting({ bus, projections: registry });
    await ledger.reached(
      await ledger.play(700),
      registry.map(({ name }) => name),
    );
    return projector;
  }
});

test('rests nine times as long as a transaction took, up to the maximum', async () => {
  const [beginsMs, endsMs]: [number[], number[]] = [[], []];
  const slow: Projection = {
    ...(balances as Projection),
    fold(events) {
      beginsMs.push(performance.now());
      return balances.fold(events);
    },
    async apply(client, changes) {
      await (balances as Projection).apply(client, changes);
      await client.query('select pg_sleep(0.03)');
      endsMs.push(performance.now());
    },
  };
  const timing = { ...NO_LAG, restMaxMs: 150 };
  await projecting({ bus: createInProcessBus(), projections: [slow], timing });
  while (beginsMs.length < 4) await ledger.play(1);
  await ledger.reached((await readHead(ledger.database.pool('app'))).position, ['balances']);
  const restsMs = beginsMs.slice(1).map((beginMs, n) => beginMs - (endsMs[n] ?? 0));
  // A timer may fire a millisecond early.
  for (const restMs of restsMs) expect(restMs).toBeGreaterThanOrEqual(149);
});

test('a restart retries a stopped projection', async () => {
  const bus = createInProcessBus();
  const poison = { position: 20 as number | null };
  const first = await projecting({ bus, projections: [poisonable(poison)] });
  const head = await ledger.play(20);
  await vi.waitFor(async () => {
    expect(await ledger.checkpoint('balances')).toMatchObject({ position: 19, status: 'stopped' });
  }, WAIT);
  await first.close();
  await projecting({ bus, projections: [balances as Projection] });
  await ledger.reached(head, ['balances']);
});

test('an unknown event type stops every projection before it', async () => {
  const bus = createInProcessBus();
  const projector = await projecting({ bus });
  const head = await ledger.play(5);
  await ledger.reached(head);
  const last = await readHead(ledger.database.pool('app'));
  const body = `{"position":${head + 1},"stream":"config","version":1,"type":"Invented","time":"${last.time}","data":{},"meta":{}}`;
  await ledger.database.pool('owner').query(
    `insert into events (position, first_position, version, recorded_at, stream, type, body, hash)
        values ($1, $1, 1, now(), stream_key('config'), 'Invented', $2, decode($3, 'hex'))`,
    [head + 1, body, chainHash(last.hash, body)],
  );
  await vi.waitFor(() => {
    for (const status of projector.status()) expect(status.state).toBe('stopped');
  }, WAIT);
  await ledger.reached(head);
});

test('one of two projectors works; the other takes over when it stops', async () => {
  const bus = createInProcessBus();
  await publishing(bus);
  const first = await projecting({ bus, timing: LONG_LEASE });
  await ledger.reached(await ledger.play(5));
  const second = await projecting({ bus, timing: LONG_LEASE });
  await ledger.reached(await ledger.play(5));
  for (const status of second.status()) expect(status.state).toBe('standby');
  await first.close();
  await ledger.reached(await ledger.play(5));
  for (const status of second.status()) expect(status.state).toBe('working');
  await ledger.expectReplaysEqual();
});

test('a projector that was suspended while it lost its lease changes nothing', async () => {
  const bus = createInProcessBus();
  const pool = ledger.database.pool('projector', 8);
  const asleep = { until: null as Promise<void> | null };
  // Stops each projection at the worst point: events folded, transaction not yet begun.
  const connect = pool.connect.bind(pool) as (...args: unknown[]) => Promise<pg.PoolClient>;
  pool.connect = ((...args: unknown[]) =>
    args.length === 0 && asleep.until
      ? asleep.until.then(() => connect())
      : connect(...args)) as typeof pool.connect;
  const sleeper = await projecting({ bus, pool, timing: LONG_LEASE });
  await ledger.reached(await ledger.play(5));
  let wake = () => {};
  asleep.until = new Promise((resolve) => {
    wake = resolve;
  });
  const head = await ledger.play(50);
  const owner = ledger.database.pool('owner');
  await vi.waitFor(() => expect(pool.idleCount).toBe(pool.totalCount), WAIT);
  await owner.query("update checkpoints set lease_until = now() - interval '1 s'");
  const next = await projecting({ bus, timing: LONG_LEASE });
  await ledger.reached(head);
  wake();
  asleep.until = null;
  await vi.waitFor(() => {
    for (const status of sleeper.status()) expect(status.state).toBe('standby');
  }, WAIT);
  for (const status of next.status()) expect(status.state).toBe('working');
  await ledger.reached(await ledger.play(5));
  await ledger.expectReplaysEqual();
});

test('connections cut by Postgres are an outage, not poison', async () => {
  const bus = createInProcessBus();
  await publishing(bus);
  const pool = openPool({ url: ledger.database.url, role: 'projector', max: 8, name: 'cut' });
  closers.push(() => pool.end());
  const projector = await projecting({ bus, pool });
  for (let i = 0; i < 5; i++) {
    await ledger.play(5);
    await ledger.database
      .pool('owner')
      .query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
        'reelbook-cut',
      ]);
  }
  await ledger.reached(await ledger.play(5));
  await vi.waitFor(() => {
    for (const status of projector.status()) expect(status.state).toBe('working');
  }, WAIT);
  await ledger.expectReplaysEqual();
});
