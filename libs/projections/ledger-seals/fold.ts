import type { RecordedEvent } from '@reelbook/ledger/events';
import { postings } from '@reelbook/ledger/postings';
import type { LedgerSealed } from '@reelbook/ledger/seals/decide';
import { parseStream } from '@reelbook/ledger/streams';

export type Sealed = LedgerSealed['data'] & {
  /** Where the seal itself stands. */
  readonly position: number;
  readonly sealedAt: string;
};

export function fold(events: readonly RecordedEvent[]): readonly Sealed[] {
  const seals: Sealed[] = [];
  for (const { event, stream, position, time } of events) {
    if (event.type === 'LedgerSealed') seals.push({ ...event.data, position, sealedAt: time });
    // Throws at a type that nobody listed.
    else postings(event, parseStream(stream).id);
  }
  return seals;
}
