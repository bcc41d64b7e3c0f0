import type { Adjustments } from '@reelbook/contract/admin/adjustments';
import type { AdminData } from '@reelbook/contract/admin/routes';
import { foldedState } from '@reelbook/event-store/read-stream';
import { readEvents } from '@reelbook/inspection/read-events';
import { playerDecider } from '@reelbook/ledger/player/decide';
import type { VoidProposed } from '@reelbook/ledger/player/events';
import {
  type AdjustmentProposed,
  type PlayerNoted,
  standingOf,
} from '@reelbook/ledger/player/standing';
import { openRounds, type PlayerState } from '@reelbook/ledger/player/state';
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
 * Pending adjustments and voids by the events of the players: without decided ones, and without voids whose round has ended.
 * The entries say only where to look.
 */
export async function readAdjustments({ pool }: Pick<Admin, 'pool'>): Promise<Adjustments> {
  const types = ['AdjustmentProposed', 'VoidProposed'] as const;
  const events = await findEvents(pool, { types }, PROPOSALS_READ_MAX);
  const streams = [...new Set(events.map(({ stream }) => stream))];
  const states = await Promise.all(
    streams.map((stream) => foldedState(pool, playerDecider, stream)),
  );
  const pending = new Map(states.flatMap(({ state }) => pendingOf(state)));
  return events.flatMap(({ event, position, time: proposed_at }) => {
    const { data } = event as AdjustmentProposed | VoidProposed;
    // A void may be refused and proposed again: only the latest is pending.
    const id = 'adjustment' in data ? data.adjustment : data.round;
    const found = pending.get(id);
    if (!found || !pending.delete(id)) return [];
    return [{ ...found, position, proposed_at }];
  });
}

type Pending = Omit<Adjustments[number], 'position' | 'proposed_at'>;

function pendingOf(state: PlayerState): readonly (readonly [string, Pending])[] {
  const { wallet } = state;
  const adjustments = standingOf(state).proposals.map(
    ({ adjustment, asset, deltaMinor, by, reason }) => {
      const amount = { asset, minor: String(deltaMinor) };
      return [adjustment, { adjustment, round: null, amount, wallet, by, reason }] as const;
    },
  );
  const voids = openRounds(state).flatMap(([game, { round, stakeMinor, voidProposed }]) => {
    if (!voidProposed) return [];
    const amount = { asset: 'points', minor: String(stakeMinor) } as const;
    const { by, reason } = voidProposed;
    const of = { adjustment: null, round: { round, game }, amount, wallet, by, reason };
    return [[round, of] as const];
  });
  return [...adjustments, ...voids];
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
