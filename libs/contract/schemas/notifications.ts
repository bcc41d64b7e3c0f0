import { type Static, Type } from 'typebox';
import { Position, pageOf, Time } from './common.ts';

const StreamVersion = Type.Integer({
  description: "Version of the player's stream: never show a lower one's count over a higher one's",
});

export const unreadFields = { unread_count: Type.Integer(), stream_version: StreamVersion };

/** A figure of a notification: a word or a count, an amount in whole units, or a time. */
export type NoticeFact =
  | string
  | number
  | { readonly asset: 'points' | 'token'; readonly amount: number }
  | { readonly time: string };

/** What happened and its figures, from which it can be said in other words than `title` and `content`. */
export const noticeFields = {
  kind: Type.String({ description: 'What happened, such as deposit-credited' }),
  facts: Type.Unsafe<Readonly<Record<string, NoticeFact>>>({
    type: 'object',
    additionalProperties: true,
    description: 'Its figures by name: texts, counts, {asset, amount} or {time}',
  }),
  title: Type.String({ description: 'In English' }),
  content: Type.String({ description: 'In English' }),
};

export const Notification = Type.Object({
  id: Type.Integer({ description: 'The position of its event' }),
  type: Type.Unsafe<'system' | 'transaction'>({ type: 'string' }),
  ...noticeFields,
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
