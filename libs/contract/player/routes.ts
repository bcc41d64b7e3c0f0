import type { Data } from '../route.ts';
import { fairnessRoutes } from './fairness.ts';
import { gamesRoutes, slotRoutes } from './games.ts';
import { ownDataRoutes } from './own-data.ts';
import { profileRoutes, sessionRoutes } from './profile.ts';
import { protectionRoutes } from './protection.ts';
import { configurationRoutes, publicRoutes } from './public.ts';
import { walletRoutes } from './wallet.ts';

/** Every call of the player API by name. Paths are below API_BASE. */
export const routes = {
  ...sessionRoutes,
  ...profileRoutes,
  ...ownDataRoutes,
  ...protectionRoutes,
  ...walletRoutes,
  ...configurationRoutes,
  ...publicRoutes,
  ...slotRoutes,
  ...fairnessRoutes,
  ...gamesRoutes,
};

export type PlayerRoutes = typeof routes;
export type RouteName = keyof PlayerRoutes;
export type DataOf<Name extends RouteName> = Data<PlayerRoutes[Name]>;
