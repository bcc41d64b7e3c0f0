import type { RecordedEvent } from '@reelbook/ledger/events';
import type { Notice, NotificationsRead } from '@reelbook/ledger/player/notices';
import { parseStream } from '@reelbook/ledger/streams';

export interface NotificationsChanges {
  readonly notices: readonly NewNotice[];
  readonly replaced: readonly Pick<NewNotice, 'wallet' | 'n'>[];
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
  /** How many more are listed. */
  readonly added: number;
  readonly unread: number;
}

export function fold(events: readonly RecordedEvent[]): NotificationsChanges {
  const notices: NewNotice[] = [];
  const reads: ReadRange[] = [];
  const replaced: Pick<NewNotice, 'wallet' | 'n'>[] = [];
  const players = new Map<string, PlayerNotices>();
  for (const { event, stream, position } of events) {
    const change = dataOf(event);
    if (!change) continue;
    const wallet = parseStream(stream).id;
    const added = players.get(wallet)?.added ?? 0;
    const { unread } = change;
    if ('n' in change) {
      const { n, replaces } = change;
      notices.push({ wallet, n, position });
      if (replaces !== undefined) replaced.push({ wallet, n: replaces });
      players.set(wallet, { wallet, added: added + (replaces === undefined ? 1 : 0), unread });
    } else {
      const { from, to } = change;
      reads.push({ wallet, from, to });
      players.set(wallet, { wallet, added, unread });
    }
  }
  return { notices, replaced, reads, players: [...players.values()] };
}

function dataOf(event: RecordedEvent['event']): Notice | NotificationsRead['data'] | null {
  if (event.type === 'NotificationsRead') return event.data;
  return 'notice' in event.data ? (event.data.notice ?? null) : null;
}
