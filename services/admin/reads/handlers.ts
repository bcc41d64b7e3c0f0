import type { AdminRouteName } from '@reelbook/contract/admin/routes';
import type { Admin, AdminHandlers } from '../context.ts';
import { answering } from './answering.ts';
import { engineReads } from './engine.ts';
import { eventReads } from './events.ts';
import { explorerReads } from './explorer.ts';
import { financeReads } from './finance.ts';
import { openInspecting } from './inspecting.ts';
import { readMe } from './me.ts';
import { paymentReads } from './payments.ts';
import { playerReads } from './players.ts';
import { reportReads } from './reports.ts';
import { travelReads } from './travel.ts';
import { workReads } from './work.ts';

/** What changes nothing, and the long work: one file a topic. */
export function readHandlers(admin: Admin) {
  const inspecting = openInspecting(admin);
  const reads = {
    ...explorerReads(admin),
    ...eventReads(admin, inspecting),
    ...travelReads(admin, inspecting),
    ...playerReads(admin),
    ...paymentReads(admin),
    ...financeReads(admin),
    ...reportReads(admin),
    ...engineReads(admin),
    ...workReads(admin),
  } satisfies Partial<AdminHandlers>;
  return {
    me: async (request) => ({ data: await readMe(admin, request) }),
    ...answered(reads),
  } satisfies Partial<AdminHandlers>;
}

/** Each of them saying what it cannot answer in the catalogue's words. */
function answered<Handlers extends Partial<AdminHandlers>>(handlers: Handlers): Handlers {
  const wrapped = Object.entries(handlers).map(([name, handle]) => {
    const read = handle as (request: unknown) => Promise<unknown>;
    return [name as AdminRouteName, (request: unknown) => answering(() => read(request))];
  });
  return Object.fromEntries(wrapped) as Handlers;
}
