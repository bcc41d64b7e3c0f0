import type { NotificationPage } from '@reelbook/contract/player/profile';
import { isRead, unreadOf } from '@reelbook/ledger/player/notices';
import { readNotifications } from '@reelbook/projections/notifications/projection';
import { noticeAnswer } from '../answers/notices.ts';
import type { Gateway } from '../context.ts';
import { withDestinations } from './destinations.ts';
import { readPlayer } from './player.ts';

/**
 * A page of notifications. The list is from the projection; the read marks and the unread count are from the current state
 * of the player, so that they are never older than a previous response.
 */
export async function readNotificationPage(
  { pool }: Pick<Gateway, 'pool'>,
  options: { readonly wallet: string; readonly page: number; readonly pageSize: number },
): Promise<NotificationPage> {
  const { items: notices, total } = await readNotifications(pool, options);
  const items = await withDestinations({ pool }, notices);
  const { state, version } = await readPlayer({ pool }, options.wallet);
  return {
    items: items.map((notice) => ({
      id: notice.id,
      ...noticeAnswer(notice),
      created_at: notice.createdAt,
      read: isRead(state, notice.n),
    })),
    page: options.page,
    page_size: options.pageSize,
    total,
    unread_count: unreadOf(state),
    stream_version: version,
  };
}
