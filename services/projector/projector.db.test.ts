import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { chainHash, GENESIS_HASH } from '@reelbook/event-store/hash-chain';
import { readHead, readLog } from '@reelbook/event-store/read-log';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { readLeaderboard } from '@reelbook/projections/leaderboards/projection';
import {
  closers,
  ledger,
  projecting,
  publishing,
  useProjectedLedger,
} from '@reelbook/simulator/stages/projected-ledger';
import { startBus } from '@reelbook/testing/bus';
import { walletOf } from '@reelbook/testing/history';
import { WAIT } from '@reelbook/testing/wait';
import { expect, test, vi } from 'vitest';

/** Longer than a test: until then only the bus brings events. */
const NEVER_MS = 600_000;

useProjectedLedger();

async function openBus() {
  const { open, stop } = await startBus();
  const bus = await open();
  closers.push(stop, () => bus.close());
  return bus;
}

test('catches up from Postgres, then follows the bus', async () => {
  const bus = await openBus();
  const before = await ledger.play(300);
  const projector = await projecting({ bus, timing: { pollMs: NEVER_MS } });
  await ledger.reached(before);
  await publishing(bus);
  const first = await ledger.play(1);
  // What was appended between its read of the head and its subscription came over the bus as well.
  await ledger.reached(first);
  for (let i = 0; i < 30; i++) await ledger.play(3);
  await ledger.reached((await readHead(ledger.database.pool('app'))).position);
  await ledger.expectReplaysEqual();
  for (const status of projector.status()) {
    expect(status).toMatchObject({ state: 'working', failing: null });
  }
  const board = await readLeaderboard(ledger.database.pool('app'), { board: 'wins', limit: 10 });
  expect(board).toHaveLength(5);
});

test('catches up when the bus brings nothing', async () => {
  const bus = await openBus();
  await projecting({ bus });
  await ledger.reached(await ledger.play(10));
  await bus.close();
  await ledger.reached(await ledger.play(10));
  await ledger.expectReplaysEqual();
});

/** All commands, for a bus that a test fills. */
async function messages(change: (event: RecordedEvent) => string = (event) => event.body) {
  const events = await readLog(ledger.database.pool('app'), { from: 1, limit: 10_000 });
  const firsts = events.filter(({ position, firstPosition }) => position === firstPosition);
  return firsts.map(({ stream, firstPosition }) => {
    const own = events.filter((event) => event.firstPosition === firstPosition);
    return {
      stream,
      firstPosition,
      bodies: own.map(change),
      previousHash: events[firstPosition - 2]?.hash ?? GENESIS_HASH,
      hash: own.at(-1)?.hash ?? '',
    };
  });
}

test('a gap on the bus is read from Postgres', async () => {
  const bus = createInProcessBus();
  await projecting({ bus, timing: { pollMs: NEVER_MS } });
  const seen = await ledger.play(0);
  await bus.publish((await messages()).slice(0, seen));
  await ledger.reached(seen);
  const head = await ledger.play(20);
  await bus.reset();
  await bus.publish((await messages()).slice(-3));
  await ledger.reached(head);
  await ledger.expectReplaysEqual();
});

test('doubled and late messages change nothing', async () => {
  const bus = createInProcessBus();
  await projecting({ bus, timing: { pollMs: NEVER_MS } });
  const head = await ledger.play(20);
  for (const again of [0, 3, 1]) {
    await bus.reset();
    await bus.publish((await messages()).slice(again));
  }
  await ledger.reached(head);
  await ledger.expectReplaysEqual();
});

test('changed and forged messages change nothing', async () => {
  const bus = createInProcessBus();
  await projecting({ bus, timing: { pollMs: 300 } });
  const head = await ledger.play(5);
  await bus.publish(await messages(({ body }) => body.replace('"100"', '"999"')));
  await ledger.reached(head);
  const { hash, time } = await readHead(ledger.database.pool('app'));
  const forged = JSON.stringify({
    position: head + 1,
    stream: `player-${walletOf(0)}`,
    version: 999,
    type: 'WelcomeGranted',
    time,
    data: { pointsMinor: '1', after: { pointsMinor: '99999999999', tokenMinor: '0' } },
    meta: { command: 'c', correlation: 'c', actor: 'system:forger' },
  });
  const forgedHash = chainHash(hash, forged);
  const follows = { stream: `player-${walletOf(0)}`, firstPosition: head + 1 };
  await bus.publish([{ ...follows, bodies: [forged], previousHash: hash, hash: forgedHash }]);
  await vi.waitFor(() => expect(bus.dropped()).toBe(2), WAIT);
  await ledger.reached(await ledger.play(5));
  await ledger.expectReplaysEqual();
});
