import { workerCheck } from '@reelbook/runtime/health';
import { sealTermsOf } from '@reelbook/runtime/sealing';
import type { Service } from '@reelbook/runtime/service';
import type pg from 'pg';
import { measureAuditor } from './metrics.ts';
import { startAuditor } from './start.ts';

/** The sealing of the ledger as a part of a service: in its own process, or in the standalone. `pool` has the role app. */
export function addAuditor(
  service: Service,
  options: { readonly pool: pg.Pool; readonly onSealed?: () => void },
): void {
  const { log, settings } = service;
  const { status, close } = startAuditor({ ...options, log, terms: sealTermsOf(settings) });
  service.add('auditor', {
    close,
    checks: [workerCheck('sealing', status)],
    registry: measureAuditor(status),
  });
  log.info('sealing');
}
