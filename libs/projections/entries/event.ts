import { readBody } from '@reelbook/ledger/body';
import type { PlacedEvent } from '@reelbook/ledger/events';

/** An event from its sealed text. Only events of types that this build knows have an entry. */
export function eventOf(text: string): Omit<PlacedEvent, 'firstPosition'> {
  const { type, data, ...placed } = readBody(text);
  return { ...placed, event: { type, data } as PlacedEvent['event'] };
}
