import type { Standing } from '@reelbook/contract/admin/standing';
import { anyOf, rowsOf, tables } from '@reelbook/event-store/query';
import { readEvents } from '@reelbook/inspection/read-events';
import type { EventType } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { SelfExcluded } from '@reelbook/ledger/player/protection-events';
import type { PlayerSuspended } from '@reelbook/ledger/player/standing';
import { numbersOf } from '@reelbook/projections/entries/type-numbers';
import { sql } from 'kysely';
import type pg from 'pg';

/** The time, and the last position if it is in the past. */
export interface Moment {
  readonly nowMs: number;
  readonly position?: number | undefined;
}

export const ACTIVE: Standing = { suspended: null, excluded: null };

/** Players who are suspended or excluded at a moment, by wallet, according to the entries. */
export async function readStandings(
  pool: pg.Pool,
  wallets: readonly string[],
  { nowMs, position = Number.MAX_SAFE_INTEGER }: Moment,
): Promise<ReadonlyMap<string, Standing>> {
  const rows = await rowsOf(pool, latestOf(wallets, position), 'read-standings');
  const begun = rows.map(({ wallet, suspended, reinstated, excluded }) => ({
    ...{ wallet, excluded },
    suspended: (suspended ?? 0) > (reinstated ?? 0) ? suspended : null,
  }));
  const events = await readEvents(
    pool,
    begun.flatMap(({ suspended, excluded }) => [suspended ?? [], excluded ?? []].flat()),
  );
  const at = new Map(events.map((event) => [event.position, event]));
  const standings = begun.map(({ wallet, suspended, excluded }) => {
    const standing: Standing = {
      suspended: suspensionOf(at.get(suspended ?? 0)),
      excluded: exclusionOf(at.get(excluded ?? 0), nowMs),
    };
    return [wallet, standing] as const;
  });
  return new Map(standings.filter(([, { suspended, excluded }]) => suspended ?? excluded));
}

/** The standing by events of the player, ascending. */
export function standingBy(events: readonly RecordedEvent[], nowMs: number): Standing {
  const last = (type: EventType) => events.findLast(({ event }) => event.type === type);
  const suspended = last('PlayerSuspended');
  const isOver = (last('PlayerReinstated')?.position ?? 0) > (suspended?.position ?? 0);
  return {
    suspended: suspensionOf(isOver ? undefined : suspended),
    excluded: exclusionOf(last('SelfExcluded'), nowMs),
  };
}

/** Positions of the last events of these types, one index lookup each. */
function latestOf(wallets: readonly string[], position: number) {
  const last = (type: EventType) =>
    sql<number | null>`(select e.position from projections.entries_v1 as e
      where e.player = own.player and e.type > 3 and e.type = ${sql.raw(numbersOf([type]))}
        and e.position <= ${position}
      order by e.position desc limit 1)`;
  return tables
    .selectFrom('projections.entries_players_v1 as own')
    .select('own.wallet')
    .select([
      last('PlayerSuspended').as('suspended'),
      last('PlayerReinstated').as('reinstated'),
      last('SelfExcluded').as('excluded'),
    ])
    .where('own.wallet', '=', anyOf('text', [...new Set(wallets)]));
}

const decided = ({ position, time, meta }: RecordedEvent) => ({
  ...{ position, since: time, by: meta.actor },
});

function suspensionOf(found: RecordedEvent | undefined): Standing['suspended'] {
  if (!found) return null;
  const { reason } = (found.event as PlayerSuspended).data;
  return { ...decided(found), reason };
}

function exclusionOf(found: RecordedEvent | undefined, nowMs: number): Standing['excluded'] {
  if (!found) return null;
  const { untilMs, reason = null } = (found.event as SelfExcluded).data;
  if (untilMs !== null && untilMs <= nowMs) return null;
  const until = untilMs === null ? null : new Date(untilMs).toISOString();
  return { ...decided(found), reason, until };
}
