import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';
import { foldNames, type PlayerNames } from '../players.ts';

export interface Win {
  readonly position: number;
  readonly wallet: string;
  readonly game: string;
  readonly round: string;
  readonly stakeMinor: bigint;
  readonly payoutMinor: bigint;
  readonly createdAt: string;
}

export interface RecentWinsChanges {
  readonly names: readonly PlayerNames[];
  /** From `position` on, a win of at least `multiple` times its stake is big. */
  readonly multiples: readonly { readonly position: number; readonly multiple: number }[];
  /** Every win; the multiple in force may come from an earlier batch, so `apply` selects the big ones. */
  readonly wins: readonly Win[];
}

export function fold(events: readonly RecordedEvent[]): RecentWinsChanges {
  const multiples: { position: number; multiple: number }[] = [];
  const wins: Win[] = [];
  for (const { event, stream, position, time } of events) {
    switch (event.type) {
      case 'BetWon': {
        const { game, round, stakeMinor, payoutMinor } = event.data;
        const wallet = parseStream(stream).id;
        wins.push({ position, wallet, game, round, stakeMinor, payoutMinor, createdAt: time });
        break;
      }
      case 'ConfigChanged':
        multiples.push({ position, multiple: event.data.after.bigWinMultiple });
        break;
      default:
    }
  }
  return { names: foldNames(events), multiples, wins };
}
