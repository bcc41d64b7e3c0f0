import type { Me } from '@reelbook/contract/admin/operators';
import type { AdminRouteName } from '@reelbook/contract/admin/routes';
import { assert } from '@reelbook/ledger/assert';
import type { Admin, AdminHandlers, AdminRequest } from '../context.ts';
import { engineReads } from '../projection-actions.ts';
import { eventReads } from './events.ts';
import { explorerReads, withRefusals } from './explorer.ts';
import { financeReads } from './finance.ts';
import { jobReads } from './jobs.ts';
import { paymentReads } from './payments.ts';
import { playerReads } from './players.ts';
import { accountReads, type InspectionCaches, pointInTimeReads } from './point-in-time.ts';

/** The signed-in operator and role. */
function readMe({ settings }: Admin, { session, operator, role }: AdminRequest<'me'>): Me {
  assert(session, 'its route admits sessions only');
  return { operator, role, expires_at: session.expiresAt, local_chain: settings.localChain };
}

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
