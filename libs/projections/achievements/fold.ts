import type { RecordedEvent } from '@reelbook/ledger/events';
import type { BetLost, BetWon } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';

const SLOT_MACHINE = 'slot-machine';

/** The figures of one settled round. */
export interface CountedRound {
  readonly wallet: string;
  readonly position: number;
  readonly at: string;
  readonly isSlot: boolean;
  readonly stakeMinor: bigint;
  readonly wonMinor: bigint;
}

export function fold(events: readonly RecordedEvent[]): readonly CountedRound[] {
  return events.flatMap(({ event, stream, position, time }) => {
    const settled = settledBy(event);
    if (!settled) return [];
    const { game, stakeMinor } = settled.data;
    return {
      wallet: parseStream(stream).id,
      position,
      at: time,
      isSlot: game === SLOT_MACHINE,
      stakeMinor,
      wonMinor: settled.type === 'BetWon' ? settled.data.payoutMinor : 0n,
    };
  });
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
