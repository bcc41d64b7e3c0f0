import type { AdminRouteName } from '@reelbook/contract/admin/routes';
import type { Admin, AdminHandlers } from '../context.ts';
import { accountReads } from './accounts.ts';
import { engineReads } from './engine.ts';
import { eventReads } from './events.ts';
import { explorerReads } from './explorer.ts';
import { financeReads } from './finance.ts';
import type { InspectionCaches } from './inspection-caches.ts';
import { jobReads } from './jobs.ts';
import { readMe } from './me.ts';
import { paymentReads } from './payments.ts';
import { playerReads } from './players.ts';
import { pointInTimeReads } from './point-in-time.ts';
import { withRefusals } from './with-refusals.ts';

/** Handlers of reads and jobs, one file per topic. */
export function readHandlers(admin: Admin, caches: InspectionCaches) {
  const reads = {
    ...explorerReads(admin),
    ...eventReads(admin, caches),
    ...pointInTimeReads(admin, caches),
    ...accountReads(admin),
    ...playerReads(admin, caches),
    ...paymentReads(admin),
    ...financeReads(admin),
    ...engineReads(admin),
    ...jobReads(admin),
  } satisfies Partial<AdminHandlers>;
  return {
    me: async (request) => ({ data: readMe(admin, request) }),
    ...wrapAll(reads),
  } satisfies Partial<AdminHandlers>;
}

/** Wraps each handler with `withRefusals`. */
function wrapAll<Handlers extends Partial<AdminHandlers>>(handlers: Handlers): Handlers {
  const wrapped = Object.entries(handlers).map(([name, handle]) => {
    const read = handle as (request: unknown) => Promise<unknown>;
    return [name as AdminRouteName, (request: unknown) => withRefusals(() => read(request))];
  });
  return Object.fromEntries(wrapped) as Handlers;
}
