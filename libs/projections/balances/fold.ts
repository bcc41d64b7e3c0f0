import { EVENT_TYPES } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import { balancesAfter } from '@reelbook/ledger/invariants';
import { parseStream } from '@reelbook/ledger/streams';

/** One player's state after a batch. Null amounts: the batch moved none of the player's money. */
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
    if (EVENT_TYPES[event.type] !== 'player') continue;
    const wallet = parseStream(stream).id;
    const { pointsMinor, tokenMinor } = balancesAfter(event) ?? changes.get(wallet) ?? NO_AMOUNTS;
    changes.set(wallet, { wallet, pointsMinor, tokenMinor, version, position });
  }
  return [...changes.values()];
}

const NO_AMOUNTS = { pointsMinor: null, tokenMinor: null };
