import type { KeyHeaders } from '../common.ts';
import type { Sent } from '../route.ts';
import { configurationRoutes } from './configuration.ts';
import { eventsRoutes, explorerRoutes } from './events.ts';
import { financeRoutes } from './finance.ts';
import { engineRoutes, jobsRoutes } from './jobs.ts';
import { operatorsRoutes, proposalsRoutes, sessionRoutes } from './operators.ts';
import { paymentRoutes } from './payments.ts';
import { adjustmentsRoutes, playersRoutes } from './players.ts';
import { pointInTimeRoutes } from './point-in-time.ts';

/** Every call of the operators' API by name, with the lowest role that may call it. Paths are below ADMIN_BASE. */
export const adminRoutes = {
  ...sessionRoutes,
  ...operatorsRoutes,
  ...playersRoutes,
  ...adjustmentsRoutes,
  ...paymentRoutes,
  ...configurationRoutes,
  ...proposalsRoutes,
  ...explorerRoutes,
  ...eventsRoutes,
  ...pointInTimeRoutes,
  ...financeRoutes,
  ...engineRoutes,
  ...jobsRoutes,
};

export type AdminRoutes = typeof adminRoutes;
export type AdminRouteName = keyof AdminRoutes;
/** The actions of operators: the calls with an idempotency key. Each is also served at its path with `/dry-run`. */
export type ActionName = {
  [Name in AdminRouteName]: AdminRoutes[Name] extends { readonly headers: typeof KeyHeaders }
    ? Name
    : never;
}[AdminRouteName];
export type AdminQuery<Name extends AdminRouteName> = Sent<AdminRoutes[Name]>['query'];
