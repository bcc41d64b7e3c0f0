import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Notice, NotificationsRead } from '@reelbook/ledger/player/notices';
import { parseStream } from '@reelbook/ledger/streams';

export interface NotificationsChanges {
  readonly notices: readonly NewNotice[];
  readonly reads: readonly ReadRange[];
  /** The state of each player of the batch that was notified or that read. */
  readonly players: readonly PlayerNotices[];
}

export interface NewNotice {
  readonly wallet: string;
  readonly n: number;
  readonly position: number;
}

/** Both ends included. */
export interface ReadRange {
  readonly wallet: string;
  readonly from: number;
  readonly to: number;
}

export interface PlayerNotices {
  readonly wallet: string;
  /** Null: unchanged. */
  readonly total: number | null;
  readonly unread: number;
}

export function fold(events: readonly RecordedEvent[]): NotificationsChanges {
  const notices: NewNotice[] = [];
  const reads: ReadRange[] = [];
  const players = new Map<string, PlayerNotices>();
  for (const { event, stream, position } of events) {
    const change = dataOf(event);
    if (!change) continue;
    const wallet = parseStream(stream).id;
    const before = players.get(wallet)?.total ?? null;
    if ('n' in change) {
      const { n, unread } = change;
      notices.push({ wallet, n, position });
      players.set(wallet, { wallet, total: n, unread });
    } else {
      const { from, to, unread } = change;
      reads.push({ wallet, from, to });
      players.set(wallet, { wallet, total: before, unread });
    }
  }
  return { notices, reads, players: [...players.values()] };
}

function dataOf(event: RecordedEvent['event']): Notice | NotificationsRead['data'] | null {
  if (event.type === 'NotificationsRead') return event.data;
  return 'notice' in event.data ? (event.data.notice ?? null) : null;
}
