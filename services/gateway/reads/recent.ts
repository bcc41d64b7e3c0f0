import type { RevealedSeed } from '@reelbook/contract/schemas/fairness';
import { readStream } from '@reelbook/event-store/read-stream';
import type { AnyEvent, RecordedEvent } from '@reelbook/ledger/events';
import type { Outcome } from '@reelbook/ledger/player/events';
import { playerStream } from '@reelbook/ledger/streams';
import type { Round } from '@reelbook/projections/entries/rounds';
import type pg from 'pg';
import { revealedAnswer } from '../answers/player.ts';

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

/** A round that began among the newest, open or settled; or null. */
export async function readNewRound(
  pool: pg.Pool,
  o: { readonly wallet: string; readonly version: number; readonly round: string },
): Promise<Round | null> {
  const events = await readNewest(pool, o);
  const ended = events.find(({ event }) => isEnd(event) && names(event, o));
  const placed = events.find(({ event }) => event.type === 'BetPlaced' && names(event, o));
  if (!placed) return null;
  const { after: _, atMs: __, timed: ___, ...bet } = (placed.event as Of<'BetPlaced'>).data;
  return {
    ...bet,
    wallet: o.wallet,
    betPosition: placed.position,
    placedAt: placed.time,
    settled: ended
      ? { ...endOf(ended.event as End), position: ended.position, at: ended.time }
      : null,
  };
}

type End = Of<'BetWon' | 'BetLost' | 'BetVoided'>;

function isEnd(event: AnyEvent): event is End {
  return ['BetWon', 'BetLost', 'BetVoided'].includes(event.type);
}

/** As the projection of rounds has it. */
function endOf({ type, data }: End): { readonly payoutMinor: bigint; readonly outcome: Outcome } {
  if (type === 'BetVoided') {
    return { payoutMinor: data.stakeMinor, outcome: { voided: data.reason } };
  }
  return { payoutMinor: type === 'BetWon' ? data.payoutMinor : 0n, outcome: data.outcome };
}

function names(event: AnyEvent, o: { readonly round: string }): boolean {
  return 'round' in event.data && event.data.round === o.round;
}
