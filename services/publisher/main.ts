/** The process of the publisher. */
import { busCheck } from '@reelbook/bus/bus';
import { connectNats } from '@reelbook/bus/nats';
import { openPool, untilAvailable } from '@reelbook/event-store/db';
import { bookCheck } from '@reelbook/event-store/read-log';
import { runProcess } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { measureProcess } from '@reelbook/runtime/metrics';
import { readSettings } from '@reelbook/runtime/settings';
import { openStatus } from '@reelbook/runtime/status';
import { publisherLagMs } from '@reelbook/runtime/test-lag';
import { measurePublisher, publisherCheck } from './metrics.ts';
import { startPublisher } from './publisher.ts';

const LEVEL = 'info';

const log = openLog({ name: 'publisher', level: LEVEL });

await runProcess(log, async (life) => {
  const settings = readSettings(['databaseUrl', 'natsUrl']);
  log.level = settings.logLevel ?? LEVEL;
  const { databaseUrl: url, natsUrl, poolMax: max } = settings;
  const pool = openPool({ url, role: 'app', max, name: 'publisher' });
  life.onClose('pool', () => pool.end());
  await untilAvailable(pool, {
    signal: life.signal,
    onAway: (error) => log.warn({ err: error }, 'the database is away; waiting for it'),
  });
  const bus = await connectNats({ url: natsUrl, log });
  life.onClose('bus', () => bus.close());
  const timing = { lagMs: publisherLagMs(settings.testLag) };
  const publisher = await startPublisher({ pool, bus, log, timing });
  life.onClose('publisher', publisher.close);
  const registry = measurePublisher(publisher.status);
  measureProcess(registry);
  await openStatus(life, {
    ...{ log, settings, registries: [registry] },
    checks: [bookCheck(pool), busCheck(bus), publisherCheck(publisher.status)],
  });
  log.info('publishing');
});
