import { type Client, type ClientOptions, openClient } from '../client.ts';
import { API_BASE } from '../paths.ts';
import { calls } from './calls.ts';
import type { PlayerRoutes } from './routes.ts';

/** A small typed client of the player API. It never retries: its caller knows whether that is right. */
export const createClient = (options: ClientOptions): Client<PlayerRoutes> =>
  openClient(API_BASE, calls, options);
