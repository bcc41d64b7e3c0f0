import { unreachable } from '@reelbook/ledger/assert';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Asset } from '@reelbook/ledger/money';
import type { Balances } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';

export type MovementType = 'bet' | 'win' | 'welcome' | 'exchange';

/** One movement of a player's money; an exchange is two, what was given first. `rank` counts the player's movements within the batch, from 1. */
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
    const { position, time: createdAt } = recorded;
    for (const moved of movedBy(recorded.event)) {
      const wallet = parseStream(recorded.stream).id;
      const rank = (ranks.get(wallet) ?? 0) + 1;
      ranks.set(wallet, rank);
      movements.push({ wallet, rank, position, ...moved, createdAt });
    }
  }
  return movements;
}

function movedBy(event: RecordedEvent['event']): readonly Moved[] {
  switch (event.type) {
    case 'WelcomeGranted': {
      const { pointsMinor, after } = event.data;
      return [points('welcome', pointsMinor, after.pointsMinor, null)];
    }
    case 'BetPlaced': {
      const { stakeMinor, after } = event.data;
      return [points('bet', -stakeMinor, after.pointsMinor, event.data)];
    }
    case 'BetWon': {
      const { payoutMinor, after } = event.data;
      return [points('win', payoutMinor, after.pointsMinor, event.data)];
    }
    case 'Exchanged': {
      const { fromAsset, fromMinor, toAsset, toMinor, after } = event.data;
      return [exchanged(fromAsset, -fromMinor, after), exchanged(toAsset, toMinor, after)];
    }
    case 'BetLost':
    case 'PlayerRegistered':
    case 'SessionStarted':
    case 'NicknameChanged':
    case 'SeedsCommitted':
    case 'ClientSeedChanged':
    case 'SeedRevealed':
    case 'NotificationsRead':
    case 'LimitSet':
    case 'LimitChangeCancelled':
    case 'SelfExcluded':
    case 'RealityCheckSet':
    case 'RealityCheckAcknowledged':
    case 'ConfigChanged':
    case 'LedgerSealed':
    case 'TreasuryObserved':
      return [];
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

function exchanged(asset: Asset, amountMinor: bigint, after: Balances): Moved {
  const balanceAfterMinor = asset === 'points' ? after.pointsMinor : after.tokenMinor;
  return { type: 'exchange', asset, amountMinor, balanceAfterMinor, game: null, round: null };
}
