import { type Call, type Client, type ClientOptions, openClient } from '../client.ts';
import { ADMIN_BASE, DRY_RUN_PATH } from '../route.ts';
import { calls } from './calls.ts';
import type { DryRunRoutes } from './dry-run.ts';
import type { AdminRoutes } from './routes.ts';

/** A report may read the entire ledger; longer work runs as a job. */
const TIMEOUT_MS = 60_000;

/** Typed client of the operators' API. It never retries. */
export const createAdminClient = (options: ClientOptions): Client<AdminRoutes> =>
  openClient(ADMIN_BASE, calls, { timeoutMs: TIMEOUT_MS, ...options });

/** Calls the dry run of an action by the name of the action. */
export const createDryRunClient = (options: ClientOptions): Client<DryRunRoutes> =>
  openClient(ADMIN_BASE, dryRunCalls, options);

const dryRunCalls = Object.fromEntries(
  Object.entries(calls).map(([name, call]): [string, Call] => [
    name,
    { ...call, path: `${call.path}${DRY_RUN_PATH}`, shape: { events: 'array' } },
  ]),
);
