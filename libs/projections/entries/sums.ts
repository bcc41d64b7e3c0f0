import { assert } from '@reelbook/ledger/assert';
import type { EventType } from '@reelbook/ledger/event-types';
import type { Db } from '../projection.ts';
import { SUMS_BLOCK } from './fold.ts';
import { TYPE_NUMBERS } from './type-numbers.ts';

/** What events of one type gave a player, signed, in minor units. */
export interface Sum {
  readonly events: number;
  readonly pointsMinor: bigint;
  readonly tokenMinor: bigint;
}

/**
 * The sums by type of a player's events after position `after`, up to `until`. Types without an event are left out. It reads
 * the rows of at most two blocks, and the sums of all blocks between them.
 */
export async function readSums(
  db: Db,
  options: { readonly wallet: string; readonly after: number; readonly until: number },
): Promise<ReadonlyMap<EventType, Sum>> {
  const { rows } = await db.query<{ type: number; events: number; points: string; token: string }>({
    name: 'read-entries-sums',
    text: SUMS,
    values: [options.wallet, options.after, options.until],
  });
  return new Map(
    rows.map(({ type, events, points, token }) => [
      typeOf(type),
      { events, pointsMinor: BigInt(points), tokenMinor: BigInt(token) },
    ]),
  );
}

/**
 * `first` and `final` are the blocks that the span begins and ends in; the blocks between them are complete. SQL, because
 * its steps depend on each other.
 */
const SUMS = `
  with own as (
    select player from projections.entries_players_v1 where wallet = $1
  ), ends as (
    select player,
      (select n / ${SUMS_BLOCK} from projections.entries_v1 as e where e.player = own.player
        and position > $2 order by position limit 1) as first,
      (select n / ${SUMS_BLOCK} from projections.entries_v1 as e where e.player = own.player
        and position <= $3 order by position desc limit 1) as final
    from own
  ), edges as (
    select player, $2 as after,
      least($3, (select max(last) from projections.entries_sums_v1 as s
        where s.player = ends.player and s.block = first)) as until
    from ends
    union all
    select player, (select max(last) from projections.entries_sums_v1 as s
      where s.player = ends.player and s.block = final - 1), $3
    from ends where first < final
  )
  select type, sum(events)::int as events, sum(points)::text as points, sum(token)::text as token
  from (
    select type, events, points, token from ends join projections.entries_sums_v1 using (player)
    where block > first and block < final
    union all
    select type, 1, coalesce(points, 0), coalesce(token, 0)
    from edges join projections.entries_v1 using (player)
    where position > after and position <= until
  ) as parts group by type`;

const TYPES = new Map(Object.entries(TYPE_NUMBERS).map(([type, number]) => [number, type]));

function typeOf(number: number): EventType {
  const type = TYPES.get(number);
  assert(type, `${number} is a type`);
  return type as EventType;
}
