import type { Adjustments } from '@reelbook/contract/admin/adjustments';
import type { AdminData } from '@reelbook/contract/admin/routes';
import { startStateLoader } from '@reelbook/event-store/read-stream';
import { readEvents } from '@reelbook/inspection/read-events';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { VoidProposed } from '@reelbook/ledger/player/events';
import type { AdjustmentProposed, PlayerNoted } from '@reelbook/ledger/player/standing';
import { standingOf } from '@reelbook/ledger/player/standing';
import { openRounds, type PlayerState } from '@reelbook/ledger/player/state';
import { parseStream } from '@reelbook/ledger/streams';
import type { ExplorerFilter } from '@reelbook/projections/entries/filter';
import { readExplorer } from '@reelbook/projections/entries/read';
import type pg from 'pg';
import type { Admin } from '../context.ts';

const NOTES_SHOWN = 200;
const PROPOSALS_READ_MAX = 200;

/** The newest notes of operators on a player. */
export async function readNotes(
  { pool }: Pick<Admin, 'pool'>,
  wallet: string,
): Promise<AdminData<'playerNotes'>> {
  const types = ['PlayerNoted'] as const;
  const events = await findEvents(pool, { types, wallet }, NOTES_SHOWN);
  return events.map(({ position, time, event }) => {
    const { by, note } = (event as PlayerNoted).data;
    return { position, time, by, note };
  });
}

/**
 * Pending adjustments and voids, according to the current states of the players: without decided ones, and without voids
 * whose round has ended.
 */
export async function readAdjustments({ pool }: Pick<Admin, 'pool'>): Promise<Adjustments> {
  const types = ['AdjustmentProposed', 'VoidProposed'] as const;
  const events = await findEvents(pool, { types }, PROPOSALS_READ_MAX);
  const load = startStateLoader(pool);
  const streams = [...new Set(events.map(({ stream }) => stream))];
  const states = await Promise.all(streams.map((stream) => load(playerDecider, stream)));
  const pending = new Set(states.flatMap(({ state }) => pendingOf(state)));
  return events.flatMap(({ event, stream, position, time: proposed_at }) => {
    const { data } = event as AdjustmentProposed | VoidProposed;
    // A void may be refused and proposed again: only the latest is pending.
    const id = 'adjustment' in data ? data.adjustment : data.round;
    if (!pending.delete(id)) return [];
    const wallet = parseStream(stream).id;
    const { by, reason } = data;
    return [{ ...subjectOf(data), wallet, by, reason, position, proposed_at }];
  });
}

function pendingOf(state: PlayerState): string[] {
  const voids = openRounds(state).filter(([, { voidProposed }]) => voidProposed);
  return [
    ...standingOf(state).proposals.map(({ adjustment }) => adjustment),
    ...voids.map(([, { round }]) => round),
  ];
}

function subjectOf(data: (AdjustmentProposed | VoidProposed)['data']) {
  if ('adjustment' in data) {
    const { adjustment, asset, deltaMinor } = data;
    return { adjustment, round: null, amount: { asset, minor: String(deltaMinor) } };
  }
  const { round, game, stakeMinor } = data;
  const amount = { asset: 'points', minor: String(stakeMinor) } as const;
  return { adjustment: null, round: { round, game }, amount };
}

/** Newest first. */
async function findEvents(pool: pg.Pool, filter: ExplorerFilter, limit: number) {
  const { entries } = await readExplorer(pool, { filter, limit });
  const events = await readEvents(
    pool,
    entries.map(({ position }) => position),
  );
  return events.toReversed();
}
