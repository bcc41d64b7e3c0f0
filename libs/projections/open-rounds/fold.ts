import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';

/** An open round. `dueAt` is when its last tick ends, ISO 8601 in UTC. */
export interface OpenRound {
  readonly round: string;
  readonly wallet: string;
  readonly game: string;
  readonly position: number;
  readonly dueAt: string;
}

export interface OpenRoundsChanges {
  readonly begun: readonly OpenRound[];
  /** Rounds of earlier batches that ended; it also has rounds that were never open. */
  readonly ended: readonly { readonly round: string }[];
}

export function fold(events: readonly RecordedEvent[]): OpenRoundsChanges {
  const begun = new Map<string, OpenRound>();
  const ended: { round: string }[] = [];
  for (const recorded of events) {
    const { event } = recorded;
    switch (event.type) {
      case 'BetPlaced': {
        const { round, game, timed } = event.data;
        if (!timed) break;
        const { stream, position, time } = recorded;
        const dueAt = new Date(Date.parse(time) + timed.ticks * timed.tickMs).toISOString();
        begun.set(round, { round, wallet: parseStream(stream).id, game, position, dueAt });
        break;
      }
      case 'BetWon':
      case 'BetLost':
      case 'BetVoided': {
        const { round } = event.data;
        if (!begun.delete(round)) ended.push({ round });
        break;
      }
      default:
    }
  }
  return { begun: [...begun.values()], ended };
}
