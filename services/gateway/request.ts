import type { DataOf, PlayerRoutes, RouteName } from '@reelbook/contract/player/routes';
import type { Sent } from '@reelbook/contract/route';
import type { Reply } from '@reelbook/http/routes';
import type { Caller } from './context.ts';

/** A request that passed its schemas. `wallet` and `token` are empty on public routes. */
export interface Request<Name extends RouteName> extends Caller, Sent<PlayerRoutes[Name]> {
  readonly token: string;
  readonly idempotencyKey: string | undefined;
}

/** A handler for each call of a topic, or of all, by its name. */
export type Handlers<Topic = PlayerRoutes> = {
  readonly [Name in keyof Topic & RouteName]: (
    request: Request<Name>,
  ) => Promise<Reply<DataOf<Name>>>;
};
