import { EVENT_TYPES } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Balances } from '@reelbook/ledger/player/balances';
import { parseStream } from '@reelbook/ledger/streams';

/** Where a batch leaves one player. Null amounts: the batch moved none of its money. */
export interface BalanceChange {
  readonly wallet: string;
  readonly pointsMinor: bigint | null;
  readonly tokenMinor: bigint | null;
  readonly version: number;
  readonly position: number;
}

export function fold(events: readonly RecordedEvent[]): readonly BalanceChange[] {
  const changes = new Map<string, BalanceChange>();
  for (const { event, stream, version, position } of events) {
    const after = balancesAfter(event);
    if (after === 'not-a-player') continue;
    const wallet = parseStream(stream).id;
    const { pointsMinor, tokenMinor } = after ?? changes.get(wallet) ?? NO_AMOUNTS;
    changes.set(wallet, { wallet, pointsMinor, tokenMinor, version, position });
  }
  return [...changes.values()];
}

const NO_AMOUNTS = { pointsMinor: null, tokenMinor: null };

function balancesAfter(event: RecordedEvent['event']): Balances | null | 'not-a-player' {
  switch (event.type) {
    case 'WelcomeGranted':
    case 'BalanceAdjusted':
    case 'BetPlaced':
    case 'BetWon':
    case 'BetLost':
    case 'BetVoided':
    case 'Exchanged':
    case 'DepositCredited':
    case 'WithdrawalRequested':
    case 'WithdrawalReleased':
      return event.data.after;
    default:
      return EVENT_TYPES[event.type] === 'player' ? null : 'not-a-player';
  }
}
