import { rowsOf, tables } from '@reelbook/event-store/query';
import { assert } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';
import { sql } from 'kysely';
import type pg from 'pg';
import { changeRows, type Db, type Projection } from '../projection.ts';

const TABLES = `
-- Open rounds: few, regardless of the size of the ledger.
create table if not exists open_rounds_v1 (
  round text primary key,
  wallet text not null,
  game text not null,
  position bigint not null,
  due_at timestamptz not null
);
create index if not exists open_rounds_v1_by_due on open_rounds_v1 (due_at);
`;

export const openRounds: Projection<OpenRoundsChanges> = {
  name: 'open-rounds',
  version: 1,
  tables: [{ name: 'open_rounds_v1', key: ['round'] }],
  tableSql: TABLES,
  fold,
  apply,
};

/** An open round. `dueAt` is when its last tick ends, ISO 8601 in UTC. */
export interface OpenRound {
  readonly round: string;
  readonly wallet: string;
  readonly game: string;
  readonly position: number;
  readonly dueAt: string;
}

export interface OpenRoundsChanges {
  readonly begun: readonly OpenRound[];
  /** Rounds of earlier batches that ended; it also has a round that was never open and is divided between two batches. */
  readonly ended: readonly { readonly round: string }[];
}

export function fold(events: readonly RecordedEvent[]): OpenRoundsChanges {
  /** Null: settled by its own command. */
  const begun = new Map<string, OpenRound | null>();
  const ended: { round: string }[] = [];
  for (const recorded of events) {
    const { event } = recorded;
    switch (event.type) {
      case 'BetPlaced': {
        begun.set(event.data.round, openedBy(recorded, event.data));
        break;
      }
      case 'BetWon':
      case 'BetLost':
      case 'BetVoided': {
        const { round } = event.data;
        if (!begun.delete(round)) ended.push({ round });
        break;
      }
      default:
    }
  }
  return { begun: [...begun.values()].filter((one) => one !== null), ended };
}

function openedBy(
  { stream, position, time }: RecordedEvent,
  { round, game, timed }: BetPlaced['data'],
): OpenRound | null {
  if (!timed) return null;
  const dueAt = new Date(Date.parse(time) + timed.ticks * timed.tickMs).toISOString();
  return { round, wallet: parseStream(stream).id, game, position, dueAt };
}

async function apply(client: pg.ClientBase, changes: OpenRoundsChanges): Promise<void> {
  await changeRows(client, { name: 'apply-rounds-ended', text: DELETE }, changes.ended);
  await changeRows(client, { name: 'apply-rounds-begun', text: INSERT }, changes.begun);
}

const INSERT = `
  insert into open_rounds_v1 (round, wallet, game, position, due_at)
  select round, wallet, game, position, "dueAt"
  from json_to_recordset($1) as new(round text, wallet text, game text, position bigint,
    "dueAt" timestamptz)`;

const DELETE = `
  delete from open_rounds_v1 as begun using json_to_recordset($1) as ended(round text)
  where begun.round = ended.round`;

const OVERDUE_LIMIT_MAX = 1_000;

export type OverdueRound = OpenRound;

/**
 * Rounds whose last tick ended at least `graceMs` ago and that are not settled, the oldest first; with `after`, those after
 * that one.
 */
export async function readOverdueRounds(
  db: Db,
  options: {
    readonly graceMs: number;
    readonly limit: number;
    readonly after: OverdueRound | null;
  },
): Promise<readonly OverdueRound[]> {
  assert(options.limit >= 1 && options.limit <= OVERDUE_LIMIT_MAX, 'a limit');
  const { dueAt = null, position = null } = options.after ?? {};
  const overdue = tables
    .selectFrom('projections.open_rounds_v1')
    .select(['round', 'wallet', 'game', 'position', 'due_at as dueAt'])
    .where(
      sql<boolean>`due_at <= clock_timestamp() - ${options.graceMs} * interval '1 millisecond'`,
    )
    .where(sql<boolean>`(due_at, position)
      > (coalesce(${dueAt}, '-infinity')::timestamptz, coalesce(${position}, 0)::bigint)`)
    .orderBy('due_at')
    .orderBy('position')
    .limit(options.limit);
  return rowsOf(db, overdue, 'read-overdue-rounds');
}
