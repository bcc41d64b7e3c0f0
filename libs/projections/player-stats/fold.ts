import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetWon } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';
import { foldNames, type PlayerNames } from '../players.ts';

/** A player's figures of one game in the batch. */
export interface StatsChange {
  readonly wallet: string;
  readonly game: string;
  readonly games: number;
  readonly wins: number;
  readonly stakedMinor: bigint;
  readonly wonMinor: bigint;
  readonly biggestWinMinor: bigint;
}

export interface StatsChanges {
  readonly names: readonly PlayerNames[];
  readonly stats: readonly StatsChange[];
}

export function fold(events: readonly RecordedEvent[]): StatsChanges {
  const stats = new Map<string, StatsChange>();
  for (const { event, stream } of events) {
    const settled = settledBy(event);
    if (!settled) continue;
    const key = `${stream} ${settled.data.game}`;
    stats.set(key, add(stats.get(key), parseStream(stream).id, settled));
  }
  return { names: foldNames(events), stats: [...stats.values()] };
}

function settledBy(event: RecordedEvent['event']): BetWon | BetLost | null {
  switch (event.type) {
    case 'BetWon':
    case 'BetLost':
      return event;
    default:
      return null;
  }
}

function add(
  before: StatsChange | undefined,
  wallet: string,
  settled: BetWon | BetLost,
): StatsChange {
  const { game, stakeMinor } = settled.data;
  const payoutMinor = settled.type === 'BetWon' ? settled.data.payoutMinor : 0n;
  const biggest = before?.biggestWinMinor ?? 0n;
  return {
    wallet,
    game,
    games: (before?.games ?? 0) + 1,
    wins: (before?.wins ?? 0) + (payoutMinor > 0n ? 1 : 0),
    stakedMinor: (before?.stakedMinor ?? 0n) + stakeMinor,
    wonMinor: (before?.wonMinor ?? 0n) + payoutMinor,
    biggestWinMinor: payoutMinor > biggest ? payoutMinor : biggest,
  };
}
