import { type Call, type Client, type ClientOptions, openClient } from '../client.ts';
import { ADMIN_BASE, DRY_RUN_PATH } from '../route.ts';
import { calls } from './calls.ts';
import type { ActionName, AdminRouteName, AdminRoutes } from './routes.ts';

/** A report may read the entire ledger; longer work runs as a job. */
const TIMEOUT_MS = 60_000;

/** Client of the operators' API. It never retries. `Data` is the types of the answers, by the names of the calls. */
export const createAdminClient = <Data extends Record<AdminRouteName, unknown>>(
  options: ClientOptions,
): Client<AdminRoutes, Data> =>
  openClient<AdminRoutes, Data>(ADMIN_BASE, calls, { timeoutMs: TIMEOUT_MS, ...options });

/** Calls the dry run of an action by the name of the action. */
export const createDryRunClient = <DryRun>(
  options: ClientOptions,
): Client<AdminRoutes, Record<ActionName, DryRun>> => openClient(ADMIN_BASE, dryRunCalls, options);

const dryRunCalls = Object.fromEntries(
  Object.entries(calls).map(([name, call]): [string, Call] => [
    name,
    { ...call, path: `${call.path}${DRY_RUN_PATH}`, shape: { events: 'array' } },
  ]),
);
