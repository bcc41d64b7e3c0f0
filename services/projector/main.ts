/** The process of the projector. */
import { busCheck } from '@reelbook/bus/bus';
import { connectNats } from '@reelbook/bus/nats';
import { openPool, retryWhileUnavailable, untilAvailable } from '@reelbook/event-store/db';
import { bookCheck } from '@reelbook/event-store/read-log';
import { runProcess } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { measureProcess } from '@reelbook/runtime/metrics';
import { readSettings } from '@reelbook/runtime/settings';
import { openStatus } from '@reelbook/runtime/status';
import { measureProjector, projectorCheck } from './metrics.ts';
import { startProjector, testLagOf } from './projector.ts';

const LEVEL = 'info';

const log = openLog({ name: 'projector', level: LEVEL });

await runProcess(log, async (life) => {
  const settings = readSettings(['databaseUrl', 'natsUrl']);
  log.level = settings.logLevel ?? LEVEL;
  const { databaseUrl: url, natsUrl, poolMax: max, projections: names } = settings;
  const pool = openPool({ url, role: 'projector', max, name: 'projector' });
  life.onClose('pool', () => pool.end());
  const patience = {
    signal: life.signal,
    onAway: (error: unknown) => log.warn({ err: error }, 'the database is away; waiting for it'),
  };
  await untilAvailable(pool, patience);
  const bus = await connectNats({ url: natsUrl, log });
  life.onClose('bus', () => bus.close());
  const timing = { lagMs: testLagOf(settings.testLag) };
  const projector = await retryWhileUnavailable(
    () => startProjector({ pool, bus, log, timing, ...(names ? { names } : {}) }),
    patience,
  );
  life.onClose('projector', projector.close);
  const registry = measureProjector(projector.status, bus);
  measureProcess(registry);
  await openStatus(life, {
    ...{ log, settings, registries: [registry] },
    checks: [bookCheck(pool), busCheck(bus), projectorCheck(projector.status)],
  });
  log.info({ projections: projector.status().map(({ name }) => name) }, 'projecting');
});
