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
  /** From `position` on a win is big from `multiple` times its stake on. */
  readonly multiples: readonly { readonly position: number; readonly multiple: number }[];
  /** Every win; which are big depends on a multiple that an earlier batch may have set, so `apply` chooses. */
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
