import type { Static, TSchema } from 'typebox';
import { Empty } from '../schemas/common.ts';
import { actRoutes } from './act-routes.ts';
import { operatorRoutes } from './operator-routes.ts';
import type { AdminPath } from './path.ts';
import { type AdminRouteName, adminPaths } from './paths.ts';
import { proposalRoutes } from './proposal-routes.ts';
import { readRoutes } from './reads/routes.ts';
import { LinkBody, Me, OperatorSession, SignInBody } from './schemas.ts';

/** One call of the operators' API in full. `data` is what stands in the envelope on success. */
export interface AdminRoute extends AdminPath {
  readonly summary: string;
  readonly tag: string;
  readonly params?: TSchema;
  readonly query?: TSchema;
  readonly headers?: TSchema;
  readonly body?: TSchema;
  readonly data: TSchema;
  /** The answer is a file, not an envelope. */
  readonly file?: true;
}

/** The one table: what is not in it does not exist, and what is in it says who may. */
export const adminRoutes = {
  signIn: {
    ...adminPaths.signIn,
    summary: 'Sign in with a signed message; each message works once',
    tag: 'session',
    body: SignInBody,
    data: OperatorSession,
  },
  signInByLink: {
    ...adminPaths.signInByLink,
    summary: 'Sign in by a one-time link of a standalone; there are none elsewhere',
    tag: 'session',
    body: LinkBody,
    data: OperatorSession,
  },
  signOut: { ...adminPaths.signOut, summary: 'End this session', tag: 'session', data: Empty },
  me: { ...adminPaths.me, summary: 'Who is signed in, and as what', tag: 'session', data: Me },
  ...operatorRoutes,
  ...actRoutes,
  ...proposalRoutes,
  ...readRoutes,
} as const satisfies Record<AdminRouteName, AdminRoute>;

type Routes = typeof adminRoutes;
type Part<Name extends AdminRouteName, Key extends string> = Routes[Name] extends {
  readonly [K in Key]: infer Schema extends TSchema;
}
  ? Static<Schema>
  : undefined;

export type AdminDataOf<Name extends AdminRouteName> = Static<Routes[Name]['data']>;
export type AdminBodyOf<Name extends AdminRouteName> = Part<Name, 'body'>;
export type AdminQueryOf<Name extends AdminRouteName> = Part<Name, 'query'>;
export type AdminParamsOf<Name extends AdminRouteName> = Part<Name, 'params'>;
