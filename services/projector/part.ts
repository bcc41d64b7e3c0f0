import type { Bus } from '@reelbook/event-store/bus/bus';
import { retryWhileUnavailable } from '@reelbook/event-store/db';
import { patienceOf } from '@reelbook/event-store/service-pool';
import type { Service } from '@reelbook/runtime/service';
import type pg from 'pg';
import { measureProjector, projectorCheck } from './metrics.ts';
import { startProjector, testLagOf } from './projector.ts';

/** The projections as a part of a service: in their own process, or in the standalone. All of them if `names` is null. */
export async function addProjector(
  service: Service,
  options: { readonly pool: pg.Pool; readonly bus: Bus; readonly names: readonly string[] | null },
): Promise<void> {
  const { log, settings } = service;
  const { names, ...rest } = options;
  const timing = { lagMs: testLagOf(settings.testLag) };
  const { status, close } = await retryWhileUnavailable(
    () => startProjector({ ...rest, log, timing, ...(names ? { names } : {}) }),
    patienceOf(service),
  );
  const registry = measureProjector(status, options.bus);
  service.add('projector', { close, checks: [projectorCheck(status)], registry });
  log.info({ projections: status().map(({ name }) => name) }, 'projecting');
}
