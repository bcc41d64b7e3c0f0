import { type Static, type TSchema, Type } from 'typebox';
import { Balances, balanceFields } from './schemas/common.ts';
import { BetResult } from './schemas/slot.ts';

/** The one channel of a player. */
export const USER_CHANNEL = 'user_events';

/** Why the server closes a socket. Clients reconnect on any but DONE and DEAD_SESSION. */
export const closeCodes = {
  done: 1000,
  restart: 1012,
  /** Expired, revoked or forged token: log in again. */
  deadSession: 4401,
  /** Reads too slowly: its queue is full. */
  tooSlow: 4408,
  /** Too many sockets or messages of one player. */
  tooMany: 4429,
} as const;

/** Largest message that the server reads. */
export const SOCKET_MESSAGE_MAX_BYTES = 4_096;

const message = <Name extends string, Data extends TSchema>(type: Name, data: Data) =>
  Type.Object({
    type: Type.Literal(type),
    data,
    timestamp: Type.Integer({ description: 'Milliseconds since 1970' }),
  });

/** What the server sends. */
export const serverMessages = {
  pong: message('pong', Type.Object({})),
  subscribed: message(
    'subscribed',
    Type.Object({ channel: Type.Literal(USER_CHANNEL), ...balanceFields }),
  ),
  balance_updated: message('balance_updated', Balances),
  game_result: message('game_result', BetResult),
  error: message('error', Type.Object({ error: Type.String(), message: Type.String() })),
};

type ServerMessages = typeof serverMessages;
export type ServerMessage = {
  [Name in keyof ServerMessages]: Static<ServerMessages[Name]>;
}[keyof ServerMessages];

/** What the server reads. `data` and `timestamp` of a ping are ignored. */
export type ClientMessage =
  | { readonly type: 'ping'; readonly data?: unknown; readonly timestamp?: unknown }
  | {
      readonly type: 'subscribe';
      readonly data: typeof USER_CHANNEL | { readonly channel: typeof USER_CHANNEL };
      readonly timestamp?: unknown;
    };

/** Reads one message of a client; null for anything else than a ping or a subscription to the one channel. */
export function readClientMessage(text: string): ClientMessage | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof value !== 'object' || value === null || !('type' in value)) return null;
  if (value.type === 'ping') return { type: 'ping' };
  if (value.type !== 'subscribe' || !('data' in value)) return null;
  const { data } = value;
  const channel =
    typeof data === 'object' && data !== null && 'channel' in data ? data.channel : data;
  return channel === USER_CHANNEL ? { type: 'subscribe', data: USER_CHANNEL } : null;
}
