import { EVENT_TYPES, EVENTS, type EventType, STREAM_KINDS } from '@reelbook/ledger/event-types';

/**
 * Types as the table has them: by kind of stream from its hundred on. The indexes of `table.sql` name 3 and 100: up to 3
 * are the three of every bet, from 100 on what is no player's.
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
