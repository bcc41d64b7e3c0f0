/** The process of the auditor that never ends: it seals the book. Any number may run. */
import { openPool, untilAvailable } from '@reelbook/event-store/db';
import { bookCheck } from '@reelbook/event-store/read-log';
import { runProcess } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { measureProcess } from '@reelbook/runtime/metrics';
import { sealTermsOf } from '@reelbook/runtime/sealing';
import { readSettings } from '@reelbook/runtime/settings';
import { openStatus } from '@reelbook/runtime/status';
import { auditorCheck, measureAuditor } from './metrics.ts';
import { startAuditor } from './start.ts';

const LEVEL = 'info';
const POOL_MAX = 2;

const log = openLog({ name: 'auditor', level: LEVEL });

await runProcess(log, async (life) => {
  const settings = readSettings(['databaseUrl']);
  log.level = settings.logLevel ?? LEVEL;
  const pool = openPool({
    url: settings.databaseUrl,
    role: 'app',
    max: POOL_MAX,
    name: 'auditor-seals',
  });
  life.onClose('pool', () => pool.end());
  await untilAvailable(pool, {
    signal: life.signal,
    onAway: (error) => log.warn({ err: error }, 'the database is away; waiting for it'),
  });
  const auditor = startAuditor({ pool, log, terms: sealTermsOf(settings) });
  life.onClose('auditor', auditor.close);
  const registry = measureAuditor(auditor.status);
  measureProcess(registry);
  await openStatus(life, {
    ...{ log, settings, registries: [registry] },
    checks: [bookCheck(pool), auditorCheck(auditor.status)],
  });
  log.info('sealing');
});
