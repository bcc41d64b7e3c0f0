import { type Static, Type } from 'typebox';
import { Position, pageOf, Time } from './common.ts';

const StreamVersion = Type.Integer({
  description: "Version of the player's stream: never show a lower one's count over a higher one's",
});

export const unreadFields = { unread_count: Type.Integer(), stream_version: StreamVersion };

export const Notification = Type.Object({
  id: Type.Integer({ description: 'The position of its event' }),
  type: Type.Unsafe<'system' | 'transaction'>({ type: 'string' }),
  title: Type.String(),
  content: Type.String(),
  created_at: Time,
  read: Type.Boolean(),
});
export type Notification = Static<typeof Notification>;

export const NotificationPage = Type.Object({
  ...pageOf(Notification).properties,
  ...unreadFields,
});
export type NotificationPage = Static<typeof NotificationPage>;

/** A position, as text of a path: digits alone, few enough to be counted exactly. */
export const NotificationParams = Type.Object({ id: Type.String({ pattern: '^[1-9]\\d{0,14}$' }) });

/** After a command that read some, or found them read. */
export const Unread = Type.Object({ ...unreadFields, position: Position });
export type Unread = Static<typeof Unread>;
