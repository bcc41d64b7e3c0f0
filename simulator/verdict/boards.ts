import { toNumber } from '@reelbook/ledger/money';
import type pg from 'pg';
import { readEvents } from './ledger.ts';

/** The leaderboards counted plainly from the events, by public id. */
export interface Recount {
  readonly earnings: ReadonlyMap<string, number>;
  readonly wins: ReadonlyMap<string, number>;
  readonly points: ReadonlyMap<string, number>;
  readonly position: number;
}

export async function recount(pool: pg.Pool): Promise<Recount> {
  const earnings = new Map<string, number>();
  const wins = new Map<string, number>();
  const points = new Map<string, number>();
  const ids = new Map<string, string>();
  let last = 0;
  for await (const { stream, event, position } of readEvents(pool)) {
    last = position;
    if (event.type === 'PlayerRegistered') ids.set(stream, event.data.publicId);
    const id = ids.get(stream);
    if (id === undefined) continue;
    if (event.type === 'BetWon') {
      // Summed in minor units: floats would drift.
      earnings.set(id, (earnings.get(id) ?? 0) + Number(event.data.payoutMinor));
      wins.set(id, (wins.get(id) ?? 0) + 1);
    }
    if ('after' in event.data && 'pointsMinor' in event.data.after) {
      points.set(id, toNumber('points', event.data.after.pointsMinor));
    }
  }
  for (const [id, minor] of earnings) earnings.set(id, toNumber('points', BigInt(minor)));
  return { earnings, wins, points, position: last };
}

export interface BoardEntry {
  readonly rank: number;
  readonly public_id: string;
  readonly amount: number;
}

/** Compares a leaderboard with the recount: amounts, order and completeness. @returns the first difference, or null. */
export function compareBoard(board: readonly BoardEntry[], counted: ReadonlyMap<string, number>) {
  const best = [...counted.values()].filter((amount) => amount > 0).sort((a, b) => b - a);
  for (const [index, entry] of board.entries()) {
    if (entry.rank !== index + 1) return `rank ${entry.rank} is at place ${index + 1}`;
    if (counted.get(entry.public_id) !== entry.amount) {
      return `${entry.public_id} has ${entry.amount}, the events give ${counted.get(entry.public_id)}`;
    }
    if (best[index] !== entry.amount) return `place ${index + 1} should have ${best[index]}`;
  }
  if (board.length === 0 && best.length > 0) return 'it is empty';
  return null;
}
