/** The process of the auditor that never ends: it seals the book. Any number may run. */
import { openPool, untilAvailable } from '@reelbook/event-store/db';
import { runProcess } from '@reelbook/runtime/lifecycle';
import { openLog } from '@reelbook/runtime/log';
import { sealTermsOf } from '@reelbook/runtime/sealing';
import { readSettings } from '@reelbook/runtime/settings';
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
  log.info('sealing');
});
