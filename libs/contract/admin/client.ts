import type { Static, TSchema } from 'typebox';
import { type ClientOptions, callPath, type LooseInput, type Needed } from '../client.ts';
import { ADMIN_BASE, adminPaths } from './paths.ts';
import type { adminRoutes } from './routes.ts';

/** A report reads a whole book of events; nothing takes longer than this without being a job. */
const TIMEOUT_MS = 60_000;

type Routes = typeof adminRoutes;
type Part<Name extends AdminCall, Key extends string> = Routes[Name] extends {
  readonly [K in Key]: infer Schema extends TSchema;
}
  ? Static<Schema>
  : undefined;

/** Name of a call of the operators' API. */
export type AdminCall = keyof Routes;
/** What a call answers. */
export type AdminData<Name extends AdminCall> = Static<Routes[Name]['data']>;
export type AdminQuery<Name extends AdminCall> = Part<Name, 'query'>;

export type AdminInput<Name extends AdminCall> = Needed<'body', Part<Name, 'body'>> &
  Needed<'query', Part<Name, 'query'>> &
  Needed<'params', Part<Name, 'params'>> & {
    readonly idempotencyKey?: string;
    readonly signal?: AbortSignal;
  };

type Rest<Name extends AdminCall> =
  object extends AdminInput<Name> ? [input?: AdminInput<Name>] : [input: AdminInput<Name>];

export interface AdminClient {
  /** Calls a route of the operators' API by its name. Resolves to the envelope's data; rejects with ApiError. */
  call<Name extends AdminCall>(name: Name, ...rest: Rest<Name>): Promise<AdminData<Name>>;
}

/** A small typed client of the operators' API; like that of the players', it never retries. */
export function createAdminClient(options: ClientOptions): AdminClient {
  return {
    call: async (name, ...rest) => {
      const { method, path, role } = adminPaths[name];
      const target = { method, base: ADMIN_BASE, path, secured: role !== null };
      const input = (rest[0] ?? {}) as LooseInput;
      return (await callPath({ timeoutMs: TIMEOUT_MS, ...options }, target, input)) as never;
    },
  };
}
