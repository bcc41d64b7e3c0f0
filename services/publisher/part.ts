import type { Bus } from '@reelbook/event-store/bus/bus';
import { workerCheck } from '@reelbook/runtime/health';
import type { Service } from '@reelbook/runtime/service';
import { publisherLagMs } from '@reelbook/runtime/test-lag';
import type pg from 'pg';
import { measurePublisher } from './metrics.ts';
import { startPublisher } from './publisher.ts';

/** The publisher as a part of a service: in its own process, or in the standalone. `pool` has the role app. */
export function addPublisher(
  service: Service,
  options: { readonly pool: pg.Pool; readonly bus: Bus },
): void {
  const { log, settings } = service;
  const timing = { lagMs: publisherLagMs(settings.testLag) };
  const { status, close } = startPublisher({ ...options, log, timing });
  const checks = [workerCheck('publishing', status)];
  service.add('publisher', { close, checks, registry: measurePublisher(status) });
  log.info('publishing');
}
