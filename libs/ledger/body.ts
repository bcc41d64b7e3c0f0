import { revive } from './codec.ts';
import type { Meta } from './events.ts';
import { upcast } from './upcast.ts';

/** What stands in the sealed text of an event. */
export interface Body {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly time: string;
  readonly data: object;
  readonly meta: Meta;
}

/** Reads the sealed text of an event: every reader of the book goes through here. Throws for text that is none. */
export function readBody(text: string): Body {
  const body = revive(JSON.parse(text) as Body);
  return { ...body, data: upcast(body.type, body.data) };
}
