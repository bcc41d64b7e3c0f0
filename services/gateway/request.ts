import type { RouteName } from '@reelbook/contract/paths';
import type { BodyOf, DataOf, ParamsOf, QueryOf } from '@reelbook/contract/routes';
import type { Reply } from '@reelbook/http/routes';
import type { Caller } from './context.ts';

/** A request that passed its schemas. `wallet` and `token` are empty on public routes. */
export interface Request<Name extends RouteName> extends Caller {
  readonly token: string;
  readonly body: BodyOf<Name>;
  readonly query: QueryOf<Name>;
  readonly params: ParamsOf<Name>;
  readonly idempotencyKey: string | undefined;
}

export type Handlers = {
  readonly [Name in RouteName]: (request: Request<Name>) => Promise<Reply<DataOf<Name>>>;
};
