import { operatorHandlers } from './acts/operators.ts';
import type { Admin, AdminHandlers } from './context.ts';
import { readHandlers } from './reads/handlers.ts';
import { sessionHandlers } from './session-handlers.ts';

/** What each route does, by its name in the contract. */
export function handlersOf(admin: Admin): AdminHandlers {
  return {
    ...sessionHandlers(admin),
    ...operatorHandlers(admin),
    ...readHandlers(admin),
  };
}
