/** The process of the publisher. */
import { connectNats } from '@reelbook/bus/nats';
import { openPool } from '@reelbook/event-store/db';
import { runProcess } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { readSettings } from '@reelbook/runtime/settings';
import { startPublisher } from './publisher.ts';

const LEVEL = 'info';

const log = openLog({ name: 'publisher', level: LEVEL });

await runProcess(log, async (life) => {
  const settings = readSettings(['databaseUrl', 'natsUrl']);
  log.level = settings.logLevel ?? LEVEL;
  const { databaseUrl: url, natsUrl, poolMax: max } = settings;
  const pool = openPool({ url, role: 'app', max, name: 'publisher' });
  life.onClose('pool', () => pool.end());
  const bus = await connectNats({ url: natsUrl, log });
  life.onClose('bus', () => bus.close());
  const publisher = await startPublisher({ pool, bus, log });
  life.onClose('publisher', publisher.close);
  log.info('publishing');
});
