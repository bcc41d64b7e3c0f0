import { EVENT_TYPES, EVENTS, type EventType, STREAM_KINDS } from '@reelbook/ledger/event-types';

/**
 * Numbers of types in the table: each kind of stream has its hundred. The indexes of the table use 3 and 100: up to 3 are
 * the three types of every bet, from 100 on the types outside the streams of players.
 */
export const TYPE_NUMBERS = Object.fromEntries(
  Object.entries(EVENT_TYPES).map(([type, kind]) => [
    type,
    STREAM_KINDS.indexOf(kind) * 100 + EVENTS[type as EventType].number,
  ]),
) as Readonly<Record<EventType, number>>;

/** A condition on `type` for some types, as a list of numbers. */
export function numbersOf(types: readonly EventType[]): string {
  return types.map((type) => TYPE_NUMBERS[type]).join(', ');
}
