import type { EventType } from '@reelbook/ledger/event-types';
import type { Asset } from '@reelbook/ledger/money';
import { assertReached, type Db } from '../projection.ts';
import { type Kind, SUMS_POSITIONS } from './fold.ts';
import { accountSums } from './projection.ts';

/** The events of one kind up to a position, and what they moved, signed. */
export interface KindSum extends Kind {
  readonly events: number;
  readonly minor: bigint;
}

/**
 * The sums of an account over the first `blocks` blocks: one lookup for each kind that ever moved it. Throws
 * `PositionNotReached`.
 */
export async function readAccountSums(
  db: Db,
  options: { readonly account: string; readonly asset: Asset; readonly blocks: number },
): Promise<readonly KindSum[]> {
  const { account, asset, blocks } = options;
  if (blocks === 0) return [];
  await assertReached(db, accountSums, blocks * SUMS_POSITIONS);
  const { rows } = await db.query<{
    type: EventType;
    game: string;
    credit: boolean;
    events: number;
    minor: string;
  }>({ name: 'read-account-sums', text: SUMS, values: [account, asset, blocks] });
  return rows.map(({ minor, ...one }) => ({ ...one, minor: BigInt(minor) }));
}

/** SQL: the kinds are found by skipping through the key, since the rows of one kind are many. */
const SUMS = `
  with recursive kinds as (
    (select type, game, credit from projections.account_sums_v1
      where account = $1 and asset = $2 order by type, game, credit limit 1)
    union all
    select next.* from kinds, lateral (
      select type, game, credit from projections.account_sums_v1 as one
      where account = $1 and asset = $2
        and (one.type, one.game, one.credit) > (kinds.type, kinds.game, kinds.credit)
      order by type, game, credit limit 1) as next
  )
  select kinds.type, kinds.game, kinds.credit, last.events, last.minor::text as minor
  from kinds, lateral (
    select events, minor from projections.account_sums_v1 as held
    where account = $1 and asset = $2 and held.type = kinds.type and held.game = kinds.game
      and held.credit = kinds.credit and block < $3
    order by block desc limit 1) as last`;
