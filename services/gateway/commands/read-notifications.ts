import type { Unread } from '@reelbook/contract/player/profile';
import { readEvent } from '@reelbook/event-store/read-log';
import { Refused } from '@reelbook/http/refused';
import { settled } from '@reelbook/http/settled';
import { playerDecider } from '@reelbook/ledger/player/decide';
import { notificationOf } from '@reelbook/ledger/player/notice-facts';
import { unreadOf } from '@reelbook/ledger/player/notices';
import { reject } from '@reelbook/ledger/rejections';
import { playerStream } from '@reelbook/ledger/streams';
import type { Caller, Gateway } from '../context.ts';
import { readPlayer } from '../reads/player.ts';

/**
 * Marks one notification (by position) or all as read. If it is read already, nothing is written. The notification is read
 * from the ledger, because the projection may not contain it yet.
 */
export async function readNotifications(
  gateway: Gateway,
  options: Caller & { readonly position: number | 'all' },
): Promise<{ data: Unread; position: number }> {
  const { wallet } = options;
  const which =
    options.position === 'all'
      ? options.position
      : await numberOf(gateway, wallet, options.position);
  const actor = `player:${wallet}`;
  const executed = await gateway.executor.execute({
    decider: playerDecider,
    stream: playerStream(wallet),
    idempotencyKey: null,
    request: { command: 'read-notifications', which },
    meta: { correlation: options.correlation, actor },
    prepare: async () => ({
      command: { type: 'ReadNotifications' as const, which },
      configVersion: null,
    }),
  });
  const { state, version, position } = settled(executed);
  if (state && position > 0) {
    const data = { unread_count: unreadOf(state), stream_version: version, position };
    return { data, position };
  }
  const now = await readPlayer(gateway, wallet);
  const place = { stream_version: now.version, position: now.position };
  return { data: { unread_count: unreadOf(now.state), ...place }, position: now.position };
}

/** The number of the player's own notification at a position. That of another player is not found. */
async function numberOf({ pool }: Gateway, wallet: string, position: number): Promise<number> {
  const recorded = await readEvent(pool, position);
  const notification =
    recorded?.stream === playerStream(wallet) ? notificationOf(recorded.event) : null;
  if (!notification) throw new Refused(reject('no-such-notification'));
  return notification.n;
}
