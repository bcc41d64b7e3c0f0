import { type Client, type ClientOptions, openClient } from '../client.ts';
import { ADMIN_BASE } from '../paths.ts';
import { calls } from './calls.ts';
import type { AdminRoutes } from './routes.ts';

/** A report reads a whole ledger of events; nothing takes longer than this without being a job. */
const TIMEOUT_MS = 60_000;

/** A small typed client of the operators' API; like that of the players', it never retries. */
export const createAdminClient = (options: ClientOptions): Client<AdminRoutes> =>
  openClient(ADMIN_BASE, calls, { timeoutMs: TIMEOUT_MS, ...options });
