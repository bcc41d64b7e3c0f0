import type { RevealedSeed } from '@reelbook/contract/player/fairness';
import { readCommitment, readStream } from '@reelbook/event-store/read-stream';
import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import type { BetPlaced } from '@reelbook/ledger/player/events';
import { playerStream } from '@reelbook/ledger/streams';
import { type Round, roundOf } from '@reelbook/projections/entries/rounds';
import type pg from 'pg';
import { revealedAnswer } from '../answers/player.ts';

/** Newest events of a player that are searched for data that a projection lacks. */
const RECENT_EVENTS = 200;

/**
 * Proofs are requested right after a command, when projections may lag by milliseconds: missing data is read from the
 * player's newest events.
 */
export async function readNewest(
  pool: pg.Pool,
  options: { readonly wallet: string; readonly version: number },
): Promise<readonly RecordedEvent[]> {
  const fromVersion = Math.max(1, options.version - RECENT_EVENTS + 1);
  const events = await readStream(pool, {
    stream: playerStream(options.wallet),
    fromVersion,
    limit: RECENT_EVENTS,
  });
  return events.filter(({ event }) => isVisibleToPlayer(event)).reverse();
}

/** Revealed pairs above `pair`, newest first. */
export async function readNewlyRevealed(
  pool: pg.Pool,
  options: { readonly wallet: string; readonly version: number; readonly pair: number },
): Promise<RevealedSeed[]> {
  const events = await readNewest(pool, options);
  return events.flatMap(({ event, position, time: revealedAt }) =>
    event.type === 'SeedRevealed' && event.data.pair > options.pair
      ? [revealedAnswer({ ...event.data, position, revealedAt })]
      : [],
  );
}

/** A round that started among the newest events, open or settled; or null. */
export async function readNewRound(
  pool: pg.Pool,
  options: { readonly wallet: string; readonly version: number; readonly round: string },
): Promise<Round | null> {
  const events = await readNewest(pool, options);
  const ended = events.find(({ event }) => isEnd(event) && names(event, options));
  const placed = events.find(({ event }) => event.type === 'BetPlaced' && names(event, options));
  if (!placed) return null;
  const seeds = await readCommitment(pool, placed as RecordedEvent<BetPlaced>);
  return roundOf(placed, { seeds, ended: ended ?? null });
}

function isEnd({ type }: AnyEvent): boolean {
  return ['BetWon', 'BetLost', 'BetVoided'].includes(type);
}

function names(event: AnyEvent, options: { readonly round: string }): boolean {
  return 'round' in event.data && event.data.round === options.round;
}
