import type { NotificationPage } from '@reelbook/contract/player/profile';
import { isRead, unreadOf } from '@reelbook/ledger/player/notices';
import { readNotifications } from '@reelbook/projections/notifications/read';
import { noticeAnswer } from '../answers/notices.ts';
import type { Gateway } from '../context.ts';
import { readPlayer } from './player.ts';

/**
 * A page of what a player was notified of. The list is the read model's; what is read and how many are not comes from
 * the player's current state, so that it is never older than an answer that the player had before.
 */
export async function readNotificationPage(
  { pool }: Pick<Gateway, 'pool'>,
  o: { readonly wallet: string; readonly page: number; readonly pageSize: number },
): Promise<NotificationPage> {
  const { items, total } = await readNotifications(pool, o);
  const { state, version } = await readPlayer({ pool }, o.wallet);
  return {
    items: items.map((notice) => ({
      id: notice.id,
      ...noticeAnswer(notice),
      created_at: notice.createdAt,
      read: isRead(state, notice.n),
    })),
    page: o.page,
    page_size: o.pageSize,
    total,
    unread_count: unreadOf(state),
    stream_version: version,
  };
}
