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
  /** The wins that were big when they happened: their players were notified. */
  readonly wins: readonly Win[];
}

export function fold(events: readonly RecordedEvent[]): RecentWinsChanges {
  const wins: Win[] = [];
  for (const { event, stream, position, time } of events) {
    if (event.type !== 'BetWon' || !event.data.notice) continue;
    const { game, round, stakeMinor, payoutMinor } = event.data;
    const wallet = parseStream(stream).id;
    wins.push({ position, wallet, game, round, stakeMinor, payoutMinor, createdAt: time });
  }
  return { names: foldNames(events), wins };
}
