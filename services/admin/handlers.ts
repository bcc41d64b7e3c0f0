import { configurationHandlers } from './actions/configuration.ts';
import { operatorHandlers } from './actions/operators.ts';
import { paymentHandlers } from './actions/payments.ts';
import { playerHandlers } from './actions/players.ts';
import { proposalHandlers } from './actions/proposals.ts';
import type { Admin, AdminHandlers } from './context.ts';
import { readHandlers } from './reads/handlers.ts';
import type { InspectionCaches } from './reads/point-in-time.ts';
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
export function handlersOf(admin: Admin, caches: InspectionCaches): AdminHandlers {
  return { ...sessionHandlers(admin), ...actionsOf(admin), ...readHandlers(admin, caches) };
}
