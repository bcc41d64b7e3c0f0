import type { Posting } from './descriptor.ts';
import { descriptorOf } from './event-types.ts';
import type { AnyEvent } from './events.ts';

const NONE: readonly Posting[] = [];

/** The postings of one event. `owner` is the wallet of the stream it stands in; unused outside player streams. */
export function postings(event: AnyEvent, owner: string): readonly Posting[] {
  return descriptorOf(event).postings?.(event.data, owner) ?? NONE;
}
