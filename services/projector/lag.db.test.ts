import { createInProcessBus } from '@reelbook/event-store/bus/in-process';
import { readCheckpoints } from '@reelbook/event-store/checkpoint';
import { readLog } from '@reelbook/event-store/read-log';
import { projections } from '@reelbook/projections/all';
import {
  ledger,
  projecting,
  publishing,
  useProjectedLedger,
} from '@reelbook/simulator/stages/projected-ledger';
import { expect, test } from 'vitest';
import { testLagOf } from './projector.ts';

const names = projections.map(({ name }) => name);

useProjectedLedger();

test.each(['forward', 'reverse'] as const)(
  'with TEST_LAG=%s every projection is late by at least its configured delay',
  async (order) => {
    const bus = createInProcessBus();
    await publishing(bus);
    const lagMs = testLagOf(order);
    await projecting({ bus, timing: { lagMs } });
    await ledger.reached(await ledger.play(1));
    const position = await ledger.play(1);
    await ledger.reached(position);

    const app = ledger.database.pool('app');
    const [last] = await readLog(app, { from: position, limit: 1 });
    const appendedMs = Date.parse(last?.time ?? '');
    const lateMs = new Map(
      (await readCheckpoints(app)).map(({ name, updatedAt }) => [
        name,
        Date.parse(updatedAt) - appendedMs,
      ]),
    );
    for (const name of names) {
      expect(lateMs.get(name), name).toBeGreaterThanOrEqual(lagMs(name) - 2);
    }
  },
);
