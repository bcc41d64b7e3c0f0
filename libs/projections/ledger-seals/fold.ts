import { postings } from '@reelbook/ledger/event-types';
import type { RecordedEvent } from '@reelbook/ledger/events';
import type { LedgerSealed } from '@reelbook/ledger/seals/decide';
import { parseStream } from '@reelbook/ledger/streams';
import type { SealAnchored } from '@reelbook/ledger/treasury/events';

export type Sealed = LedgerSealed['data'] & {
  /** The position of the seal itself. */
  readonly position: number;
  readonly sealedAt: string;
};

export type Anchored = SealAnchored['data'] & {
  /** The position of the event of the anchor. */
  readonly position: number;
  readonly anchoredAt: string;
};

export interface SealChanges {
  readonly seals: readonly Sealed[];
  readonly anchors: readonly Anchored[];
}

export function fold(events: readonly RecordedEvent[]): SealChanges {
  const seals: Sealed[] = [];
  const anchors: Anchored[] = [];
  for (const { event, stream, position, time } of events) {
    if (event.type === 'LedgerSealed') seals.push({ ...event.data, position, sealedAt: time });
    else if (event.type === 'SealAnchored') {
      anchors.push({ ...event.data, position, anchoredAt: time });
    }
    // Throws at a type that is not listed.
    else postings(event, parseStream(stream).id);
  }
  return { seals, anchors };
}
