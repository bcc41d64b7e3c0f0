import { unreachable } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import { parseStream } from '@reelbook/ledger/streams';

export type MovementType = 'bet' | 'win' | 'welcome';

/** One movement of a player's money. `rank` counts the player's movements within the batch, from 1. */
export interface Movement {
  readonly wallet: string;
  readonly rank: number;
  readonly position: number;
  readonly type: MovementType;
  readonly asset: Asset;
  readonly amountMinor: bigint;
  readonly balanceAfterMinor: bigint;
  readonly game: string | null;
  readonly round: string | null;
  readonly createdAt: string;
}

type Moved = Pick<
  Movement,
  'type' | 'asset' | 'amountMinor' | 'balanceAfterMinor' | 'game' | 'round'
>;

export function fold(events: readonly RecordedEvent[]): readonly Movement[] {
  const movements: Movement[] = [];
  const ranks = new Map<string, number>();
  for (const recorded of events) {
    const moved = movedBy(recorded.event);
    if (!moved) continue;
    const wallet = parseStream(recorded.stream).id;
    const rank = (ranks.get(wallet) ?? 0) + 1;
    ranks.set(wallet, rank);
    const { position, time: createdAt } = recorded;
    movements.push({ wallet, rank, position, ...moved, createdAt });
  }
  return movements;
}

function movedBy(event: RecordedEvent['event']): Moved | null {
  switch (event.type) {
    case 'WelcomeGranted': {
      const { pointsMinor, after } = event.data;
      return points('welcome', pointsMinor, after.pointsMinor, null);
    }
    case 'BetPlaced': {
      const { stakeMinor, after } = event.data;
      return points('bet', -stakeMinor, after.pointsMinor, event.data);
    }
    case 'BetWon': {
      const { payoutMinor, after } = event.data;
      return points('win', payoutMinor, after.pointsMinor, event.data);
    }
    case 'BetLost':
    case 'PlayerRegistered':
    case 'SessionStarted':
    case 'NicknameChanged':
    case 'SeedsCommitted':
    case 'ClientSeedChanged':
    case 'SeedRevealed':
    case 'ConfigChanged':
      return null;
    default:
      return unreachable(event);
  }
}

function points(
  type: MovementType,
  amountMinor: bigint,
  balanceAfterMinor: bigint,
  of: { readonly game: string; readonly round: string } | null,
): Moved {
  const { game, round } = of ?? { game: null, round: null };
  return { type, asset: 'points', amountMinor, balanceAfterMinor, game, round };
}
