import { type Client, type ClientOptions, openClient } from '../client.ts';
import { API_BASE } from '../route.ts';
import { calls } from './calls.ts';
import type { PlayerRoutes } from './routes.ts';

/** Typed client of the player API. It never retries: the caller decides. */
export const createClient = (options: ClientOptions): Client<PlayerRoutes> =>
  openClient(API_BASE, calls, options);
