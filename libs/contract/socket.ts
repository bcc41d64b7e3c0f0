import { readObject } from '@reelbook/ledger/text';
import { type Static, type TSchema, Type } from 'typebox';
import { Balances, balanceFields } from './common.ts';
import { BetResult, GameResult } from './player/games.ts';
import { noticeFields, unreadFields } from './player/profile.ts';
import { ExchangeResult, PaymentUpdate } from './player/wallet.ts';

/** The only channel of a player. */
export const USER_CHANNEL = 'user_events';

/** Reasons why the server closes a socket. Clients reconnect on any except `done` and `deadSession`. */
export const closeCodes = {
  done: 1000,
  restart: 1012,
  /** Expired, revoked or forged token; the client must log in again. */
  deadSession: 4401,
  /** The client reads too slowly: its queue is full. */
  tooSlow: 4408,
  /** Too many sockets or messages of one player. */
  tooMany: 4429,
} as const;

/** Largest message that the server accepts. */
export const SOCKET_MESSAGE_MAX_BYTES = 4_096;

const message = <Name extends string, Data extends TSchema>(type: Name, data: Data) =>
  Type.Object({
    type: Type.Literal(type),
    data,
    timestamp: Type.Integer({ description: 'Milliseconds since 1970' }),
  });

/** Messages of the server. */
export const serverMessages = {
  pong: message('pong', Type.Object({})),
  subscribed: message(
    'subscribed',
    Type.Object({
      channel: Type.Literal(USER_CHANNEL),
      unread_count: Type.Integer(),
      resumed: Type.Boolean({
        description:
          'true if the server has sent every message after the stream_version of the client',
      }),
      ...balanceFields,
    }),
  ),
  balance_updated: message('balance_updated', Balances),
  game_result: message('game_result', Type.Union([BetResult, GameResult])),
  transaction_updated: message(
    'transaction_updated',
    Type.Union([
      Type.Object({
        id: Type.Integer({ description: 'Position of its event' }),
        type: Type.Literal('exchange'),
        status: Type.Literal('completed'),
        ...ExchangeResult.properties,
      }),
      PaymentUpdate,
    ]),
  ),
  notification: message(
    'notification',
    Type.Object({
      type: Type.Unsafe<'system' | 'transaction' | 'unread'>({
        type: 'string',
        description: 'unread: only the count has changed',
      }),
      id: Type.Unsafe<number | null>({ type: ['integer', 'null'] }),
      ...noticeFields,
      ...unreadFields,
    }),
  ),
  config_updated: message(
    'config_updated',
    Type.Object({
      config_version: Type.Integer({
        description: 'New version; reload /config/* and /game/configs',
      }),
    }),
  ),
  error: message('error', Type.Object({ error: Type.String(), message: Type.String() })),
};

type ServerMessages = typeof serverMessages;
export type ServerMessage = {
  [Name in keyof ServerMessages]: Static<ServerMessages[Name]>;
}[keyof ServerMessages];

/** A parsed client message. `from` is the stream version to resume from; null: start now. */
export type ReadMessage =
  | { readonly type: 'ping' }
  | { readonly type: 'subscribe'; readonly from: number | null };

/** Parses a client message; null unless it is a ping or a subscription to the channel. */
export function readClientMessage(text: string): ReadMessage | null {
  const { type, data } = readObject(text) ?? {};
  if (type === 'ping') return { type };
  if (type !== 'subscribe') return null;
  if (data === USER_CHANNEL) return { type: 'subscribe', from: null };
  if (typeof data !== 'object' || data === null) return null;
  if (!('channel' in data) || data.channel !== USER_CHANNEL) return null;
  if (!('stream_version' in data)) return { type: 'subscribe', from: null };
  const { stream_version: from } = data;
  if (typeof from !== 'number' || !Number.isSafeInteger(from) || from < 0) return null;
  return { type: 'subscribe', from };
}
