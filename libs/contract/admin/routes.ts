import type { Data, Sent } from '../route.ts';
import { adjustmentsRoutes } from './adjustments.ts';
import { configurationRoutes } from './configuration.ts';
import { engineRoutes } from './engine.ts';
import { eventsRoutes } from './events.ts';
import { explorerRoutes } from './explorer.ts';
import { financeRoutes } from './finance.ts';
import { jobsRoutes } from './jobs.ts';
import { operatorsRoutes } from './operators.ts';
import { paymentRoutes } from './payments.ts';
import { playersRoutes } from './players.ts';
import { pointInTimeRoutes } from './point-in-time.ts';
import { proposalsRoutes } from './proposals.ts';
import { sessionRoutes } from './session.ts';

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
export type AdminData<Name extends AdminRouteName> = Data<AdminRoutes[Name]>;
export type AdminQuery<Name extends AdminRouteName> = Sent<AdminRoutes[Name]>['query'];
