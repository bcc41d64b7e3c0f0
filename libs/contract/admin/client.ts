import { type Client, type ClientOptions, openClient } from '../client.ts';
import { ADMIN_BASE } from '../paths.ts';
import { calls } from './calls.ts';
import type { AdminRoutes } from './routes.ts';

/** A report may read the entire ledger; longer work runs as a job. */
const TIMEOUT_MS = 60_000;

/** Typed client of the operators' API. It never retries. */
export const createAdminClient = (options: ClientOptions): Client<AdminRoutes> =>
  openClient(ADMIN_BASE, calls, { timeoutMs: TIMEOUT_MS, ...options });
