import type { RecordedEvent } from '@reelbook/ledger/events';
import { parseStream } from '@reelbook/ledger/streams';

/** A player's changes in a batch; null: unchanged. */
export interface Standing {
  readonly wallet: string;
  readonly publicId: string | null;
  readonly nickname: string | null;
  /** Added by the batch. */
  readonly earningsMinor: bigint;
  readonly wins: number;
  /** The balance after the batch. */
  readonly pointsMinor: bigint | null;
}

export function fold(events: readonly RecordedEvent[]): readonly Standing[] {
  const standings = new Map<string, Standing>();
  for (const { event, stream } of events) {
    const change = dataOf(event);
    if (!change) continue;
    const wallet = parseStream(stream).id;
    const before = standings.get(wallet) ?? { wallet, ...NOTHING };
    standings.set(wallet, {
      wallet,
      publicId: change.publicId ?? before.publicId,
      nickname: change.nickname ?? before.nickname,
      earningsMinor: before.earningsMinor + (change.earningsMinor ?? 0n),
      wins: before.wins + (change.wins ?? 0),
      pointsMinor: change.pointsMinor ?? before.pointsMinor,
    });
  }
  return [...standings.values()];
}

const NOTHING = { publicId: null, nickname: null, earningsMinor: 0n, wins: 0, pointsMinor: null };

function dataOf(event: RecordedEvent['event']): Partial<Standing> | null {
  switch (event.type) {
    case 'PlayerRegistered':
      return { publicId: event.data.publicId };
    case 'NicknameChanged':
      return { nickname: event.data.nickname };
    case 'WelcomeGranted':
    case 'BalanceAdjusted':
    case 'BetPlaced':
    case 'BetLost':
    case 'BetVoided':
    case 'Exchanged':
      return { pointsMinor: event.data.after.pointsMinor };
    case 'BetWon': {
      const { payoutMinor, after } = event.data;
      return { earningsMinor: payoutMinor, wins: 1, pointsMinor: after.pointsMinor };
    }
    default:
      return null;
  }
}
