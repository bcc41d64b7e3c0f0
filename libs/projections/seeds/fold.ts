import type { RecordedEvent } from '@reelbook/ledger/events';
import type { SeedRevealed } from '@reelbook/ledger/player/events';
import { parseStream } from '@reelbook/ledger/streams';

export type Revealed = SeedRevealed['data'] & {
  readonly wallet: string;
  readonly position: number;
  readonly revealedAt: string;
};

export function fold(events: readonly RecordedEvent[]): readonly Revealed[] {
  const revealed: Revealed[] = [];
  for (const { event, stream, position, time } of events) {
    const seed = revealedBy(event);
    if (!seed) continue;
    revealed.push({ ...seed, wallet: parseStream(stream).id, position, revealedAt: time });
  }
  return revealed;
}

function revealedBy(event: RecordedEvent['event']): SeedRevealed['data'] | null {
  switch (event.type) {
    case 'SeedRevealed':
      return event.data;
    default:
      return null;
  }
}
