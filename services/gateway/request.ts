import type { DataOf, PlayerRoutes, RouteName } from '@reelbook/contract/player/routes';
import type { Sent } from '@reelbook/contract/route';
import type { Reply } from '@reelbook/http/routes';
import type { Caller } from './context.ts';
import type { LiveSession } from './sessions.ts';

/** A validated request. On public routes `wallet` and `token` are empty and `session` is null. */
export interface Request<Name extends RouteName> extends Caller, Sent<PlayerRoutes[Name]> {
  readonly session: PlayerRoutes[Name] extends { readonly access: 'public' } ? null : LiveSession;
  readonly token: string;
  /** The client's, as the limits have it. */
  readonly address: string;
  readonly idempotencyKey: string | undefined;
}

/** Handlers by name, for the calls of a topic or for all calls; those that send a file are in own-data-files.ts. */
export type Handlers<Topic = PlayerRoutes> = {
  readonly [Name in Exclude<keyof Topic & RouteName, 'statementFile' | 'ownData'>]: (
    request: Request<Name>,
  ) => Promise<Reply<DataOf<Name>>>;
};
