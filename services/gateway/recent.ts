import type { RevealedSeed } from '@reelbook/contract/schemas/fairness';
import { readStream } from '@reelbook/event-store/read-stream';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import { playerStream } from '@reelbook/ledger/streams';
import type { Round } from '@reelbook/projections/rounds/read';
import type pg from 'pg';
import { revealedAnswer } from './answers.ts';

/** The newest events of a player that are looked through for what a projection does not show yet. */
const RECENT_EVENTS = 200;

type Of<Type extends AnyEvent['type']> = Extract<AnyEvent, { type: Type }>;

/**
 * Proofs are asked for right after the act, when the read models may still be some milliseconds behind: what is
 * missing there is taken from the player's own newest events.
 */
async function readNewest(
  pool: pg.Pool,
  o: { readonly wallet: string; readonly version: number },
): Promise<readonly RecordedEvent[]> {
  const fromVersion = Math.max(1, o.version - RECENT_EVENTS + 1);
  const events = await readStream(pool, {
    stream: playerStream(o.wallet),
    fromVersion,
    limit: RECENT_EVENTS,
  });
  return events.reverse();
}

/** Revealed pairs above `pair`, newest first. */
export async function readNewlyRevealed(
  pool: pg.Pool,
  o: { readonly wallet: string; readonly version: number; readonly pair: number },
): Promise<RevealedSeed[]> {
  const events = await readNewest(pool, o);
  return events.flatMap(({ event, position, time: revealedAt }) =>
    event.type === 'SeedRevealed' && event.data.pair > o.pair
      ? [revealedAnswer({ ...event.data, position, revealedAt })]
      : [],
  );
}

/** A settled round among the newest, or null. */
export async function readNewRound(
  pool: pg.Pool,
  o: { readonly wallet: string; readonly version: number; readonly round: string },
): Promise<Round | null> {
  const events = await readNewest(pool, o);
  const ended = events.find(({ event }) => isOf(event, 'BetWon', 'BetLost') && names(event, o));
  const placed = events.find(({ event }) => isOf(event, 'BetPlaced') && names(event, o));
  if (!ended || !placed) return null;
  const { after: _, atMs: __, ...bet } = (placed.event as Of<'BetPlaced'>).data;
  const { data } = ended.event as Of<'BetWon' | 'BetLost'>;
  const payoutMinor = 'payoutMinor' in data ? data.payoutMinor : 0n;
  const { position, time: at } = ended;
  return {
    ...bet,
    wallet: o.wallet,
    betPosition: placed.position,
    placedAt: placed.time,
    settled: { payoutMinor, outcome: data.outcome, position, at },
  };
}

function isOf(event: AnyEvent, ...types: readonly AnyEvent['type'][]): boolean {
  return types.includes(event.type);
}

function names(event: AnyEvent, o: { readonly round: string }): boolean {
  return 'round' in event.data && event.data.round === o.round;
}
