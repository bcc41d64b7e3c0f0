import { configurationHandlers } from './acts/configuration.ts';
import { deskHandlers } from './acts/desk.ts';
import { operatorHandlers } from './acts/operators.ts';
import { playerHandlers } from './acts/players.ts';
import { proposalHandlers } from './acts/proposals.ts';
import type { Admin, AdminHandlers } from './context.ts';
import { readHandlers } from './reads/handlers.ts';
import { sessionHandlers } from './session-handlers.ts';

/** What each route does, by its name in the contract. */
export function handlersOf(admin: Admin): AdminHandlers {
  return {
    ...sessionHandlers(admin),
    ...operatorHandlers(admin),
    ...playerHandlers(admin),
    ...deskHandlers(admin),
    ...configurationHandlers(admin),
    ...proposalHandlers(admin),
    ...readHandlers(admin),
  };
}
