import type { RecordedEvent } from '@reelbook/ledger/events';
import type {
  BetLost,
  BetPlaced,
  BetVoided,
  BetWon,
  Outcome,
} from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';

/** `rank` counts the player's rounds of that game within the batch, from 1. */
export interface PlacedRound {
  readonly round: string;
  readonly wallet: string;
  readonly game: string;
  readonly rank: number;
  readonly stakeMinor: bigint;
  readonly lines: number;
  readonly rules: string;
  readonly serverSeedHash: string;
  readonly clientSeed: string;
  readonly nonce: number;
  readonly betPosition: number;
  readonly placedAt: string;
}

export interface SettledRound {
  readonly round: string;
  readonly payoutMinor: bigint;
  readonly outcome: Outcome;
  readonly position: number;
  readonly settledAt: string;
}

export interface RoundChanges {
  /** With its settlement when the same batch holds both, as it does for every game that settles at once. */
  readonly placed: readonly (PlacedRound & Partial<SettledRound>)[];
  /** Of rounds that an earlier batch placed. */
  readonly settled: readonly SettledRound[];
}

export function fold(events: readonly RecordedEvent[]): RoundChanges {
  const placed = new Map<string, PlacedRound & Partial<SettledRound>>();
  const settled: SettledRound[] = [];
  const ranks = new Map<string, number>();
  for (const recorded of events) {
    const { event } = recorded;
    switch (event.type) {
      case 'BetPlaced': {
        const key = `${recorded.stream} ${event.data.game}`;
        const rank = (ranks.get(key) ?? 0) + 1;
        ranks.set(key, rank);
        placed.set(event.data.round, placedRound(recorded, event, rank));
        break;
      }
      case 'BetWon':
      case 'BetLost':
      case 'BetVoided': {
        const settlement = settledRound(recorded, event);
        const own = placed.get(settlement.round);
        if (own) placed.set(settlement.round, { ...own, ...settlement });
        else settled.push(settlement);
        break;
      }
      default:
    }
  }
  return { placed: [...placed.values()], settled };
}

function placedRound(recorded: RecordedEvent, { data }: BetPlaced, rank: number): PlacedRound {
  const { after: _, atMs: __, timed: ___, ...bet } = data;
  return {
    ...bet,
    wallet: parseStream(recorded.stream).id,
    rank,
    betPosition: recorded.position,
    placedAt: recorded.time,
  };
}

/** A voided round shows nothing that was drawn: its outcome is the reason, what it paid is its stake. */
function settledRound(recorded: RecordedEvent, event: BetWon | BetLost | BetVoided): SettledRound {
  const voided = event.type === 'BetVoided';
  const wonMinor = event.type === 'BetWon' ? event.data.payoutMinor : 0n;
  return {
    round: event.data.round,
    payoutMinor: voided ? event.data.stakeMinor : wonMinor,
    outcome: voided ? { voided: event.data.reason } : event.data.outcome,
    position: recorded.position,
    settledAt: recorded.time,
  };
}
