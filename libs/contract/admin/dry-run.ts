import { type Static, Type } from 'typebox';
import type { KeyHeaders } from '../common.ts';
import { Hash, Json, Posting, sentenceFields } from './common.ts';
import type { AdminRouteName, AdminRoutes } from './routes.ts';

/** The events that an action appends when it is sent now, in their order. */
export const DryRun = Type.Object({
  events: Type.Array(
    Type.Object({
      stream: Type.String(),
      type: Type.String(),
      ...sentenceFields,
      data: Json,
      postings: Type.Array(Posting),
    }),
  ),
  fingerprint: Hash,
});
export type DryRun = Static<typeof DryRun>;

/** The actions of operators: the calls with an idempotency key. Each is also served at its path with `/dry-run`. */
export type ActionName = {
  [Name in AdminRouteName]: AdminRoutes[Name] extends { readonly headers: typeof KeyHeaders }
    ? Name
    : never;
}[AdminRouteName];

export type DryRunRoutes = {
  readonly [Name in ActionName]: Omit<AdminRoutes[Name], 'data'> & { readonly data: typeof DryRun };
};
