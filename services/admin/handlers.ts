import { configurationHandlers } from './actions/configuration.ts';
import { operatorHandlers } from './actions/operators.ts';
import { paymentHandlers } from './actions/payments.ts';
import { playerHandlers } from './actions/players.ts';
import { proposalHandlers } from './actions/proposals.ts';
import type { Admin, AdminHandlers } from './context.ts';
import { engineReads } from './projection-actions.ts';
import { depositReads } from './reads/deposits.ts';
import { eventReads } from './reads/events.ts';
import { explorerReads } from './reads/explorer.ts';
import { financeReads } from './reads/finance.ts';
import { jobReads } from './reads/jobs.ts';
import { paymentReads } from './reads/payments.ts';
import { playerReads } from './reads/players.ts';
import { type InspectionCaches, pointInTimeReads } from './reads/point-in-time.ts';
import { sessionHandlers } from './session-handlers.ts';

/** Handlers of the actions of operators. */
export const actionsOf = (admin: Admin) => ({
  ...operatorHandlers(admin),
  ...playerHandlers(admin),
  ...paymentHandlers(admin),
  ...configurationHandlers(admin),
  ...proposalHandlers(admin),
});

/** Handlers of all routes, by name in the contract. */
export function handlersOf(admin: Admin, caches: InspectionCaches) {
  return {
    ...sessionHandlers(admin),
    ...actionsOf(admin),
    ...explorerReads(admin),
    ...eventReads(admin, caches),
    ...pointInTimeReads(admin, caches),
    ...playerReads(admin, caches),
    ...paymentReads(admin),
    ...depositReads(admin),
    ...financeReads(admin),
    ...engineReads(admin),
    ...jobReads(admin),
  } satisfies AdminHandlers;
}
