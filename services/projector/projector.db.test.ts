import { readHead } from '@reelbook/event-store/read-log';
import { readLeaderboard } from '@reelbook/projections/leaderboards/projection';
import {
  closers,
  ledger,
  projecting,
  useProjectedLedger,
} from '@reelbook/simulator/stages/projected-ledger';
import { startBus } from '@reelbook/testing/bus';
import { expect, test } from 'vitest';

/** Longer than a test: until then only nudges cause reads. */
const NEVER_MS = 600_000;

useProjectedLedger();

async function openBus() {
  const { open, stop } = await startBus();
  const bus = await open();
  closers.push(stop, () => bus.close());
  return bus;
}

test('catches up, then follows the nudges', async () => {
  const bus = await openBus();
  const before = await ledger.play(300);
  const timing = { pollMs: NEVER_MS, leaseMs: NEVER_MS };
  const projector = await projecting({ bus, timing });
  await ledger.reached(before);
  const nudging = setInterval(bus.nudge, 5);
  closers.push(async () => clearInterval(nudging));
  for (let i = 0; i < 30; i++) await ledger.play(3);
  await ledger.reached((await readHead(ledger.database.pool('app'))).position);
  await ledger.expectReplaysEqual();
  for (const status of projector.status()) {
    expect(status).toMatchObject({ state: 'working', failing: null });
  }
  const board = await readLeaderboard(ledger.database.pool('app'), { board: 'wins', limit: 10 });
  expect(board).toHaveLength(5);
});

test('catches up without nudges, also when the bus is closed', async () => {
  const bus = await openBus();
  await projecting({ bus });
  await ledger.reached(await ledger.play(10));
  await bus.close();
  await ledger.reached(await ledger.play(10));
  await ledger.expectReplaysEqual();
});
