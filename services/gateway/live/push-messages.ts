import { USER_CHANNEL } from '@reelbook/contract/socket';
import { isVisibleToPlayer } from '@reelbook/ledger/event-types';
import type { PlacedEvent } from '@reelbook/ledger/events';
import { balancesAfter } from '@reelbook/ledger/invariants';
import { notificationOf } from '@reelbook/ledger/player/notice-facts';
import { unreadOf } from '@reelbook/ledger/player/notices';
import type { PlayerState } from '@reelbook/ledger/player/state';
import { noticeAnswer } from '../answers/notices.ts';
import { paymentUpdate } from '../answers/payments.ts';
import { balancesAnswer } from '../answers/player.ts';
import { resultAnswer } from '../answers/rounds.ts';
import { exchangeAnswer } from '../answers/wallet.ts';
import type { Gateway } from '../context.ts';
import { withDestinations } from '../reads/destinations.ts';
import { encodeMessage } from './client.ts';

/** Messages of the live channel, encoded once for all sockets of a player. */
export interface PushMessage {
  readonly type: 'game_result' | 'transaction_updated' | 'balance_updated' | 'notification';
  readonly text: string;
}

/** Push messages of one command. Every message contains the version of the stream. */
export async function messagesOf(
  events: readonly PlacedEvent[],
  { games, commitments, pool }: Pick<Gateway, 'games' | 'commitments' | 'pool'>,
): Promise<readonly PushMessage[]> {
  const command = events.filter(({ event }) => isVisibleToPlayer(event));
  const messages: PushMessage[] = [];
  const result = resultAnswer(command, { games, seeds: await commitments.of(command) });
  if (result) messages.push(message('game_result', result));
  const exchange = exchangeAnswer(command);
  if (exchange) {
    const { position: id } = exchange;
    const seen = { id, type: 'exchange', status: 'completed', ...exchange } as const;
    messages.push(message('transaction_updated', seen));
  }
  for (const placed of command) {
    const update = paymentUpdate(placed);
    if (update) messages.push(message('transaction_updated', update));
  }
  const last = command.at(-1);
  const after = command.map(({ event }) => balancesAfter(event)).findLast((owned) => owned);
  if (last && after) messages.push(message('balance_updated', balancesAnswer(after, last)));
  for (const placed of command) messages.push(...(await notificationsOf(pool, placed)));
  return messages;
}

async function notificationsOf(
  pool: Gateway['pool'],
  { event, position, version }: PlacedEvent,
): Promise<readonly PushMessage[]> {
  if (event.type === 'NotificationsRead') return [unread(event.data.unread, version)];
  const notification = notificationOf(event);
  if (!notification) return [];
  const [named = notification] = await withDestinations({ pool }, [notification]);
  const shown = { ...noticeAnswer(named), id: position, unread_count: notification.unread };
  return [message('notification', { ...shown, stream_version: version })];
}

/** A message with only the new unread count. */
function unread(unread_count: number, stream_version: number): PushMessage {
  const empty = {
    type: 'unread',
    id: null,
    kind: 'unread',
    facts: {},
    title: '',
    content: '',
  } as const;
  return message('notification', { ...empty, unread_count, stream_version });
}

interface Player {
  readonly state: PlayerState;
  readonly version: number;
  readonly position: number;
}

/** The current state of a player, for sockets that missed too many events. */
export function currentMessages(player: Player): readonly PushMessage[] {
  return [
    message('balance_updated', balancesAnswer(player.state, player)),
    unread(unreadOf(player.state), player.version),
  ];
}

/** The response to a subscription. */
export function subscribedText(player: Player, resumed: boolean): string {
  return encodeMessage('subscribed', {
    channel: USER_CHANNEL,
    unread_count: unreadOf(player.state),
    resumed,
    ...balancesAnswer(player.state, player),
  });
}

function message<Type extends PushMessage['type']>(
  type: Type,
  data: Parameters<typeof encodeMessage<Type>>[1],
): PushMessage {
  return { type, text: encodeMessage(type, data) };
}
