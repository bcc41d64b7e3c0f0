import { revive, serialize } from './codec.ts';
import type { LedgerEvent } from './decider.ts';
import type { Meta } from './events.ts';

/** What the text of an event has. */
export interface Body {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly time: string;
  readonly data: object;
  /** Null for all events of a command but its first: theirs is that of the first. */
  readonly meta: Meta | null;
}

/** As it is stored. */
type StoredBody = Omit<Body, 'meta'> & {
  readonly meta?: Omit<Meta, 'actor'> & { readonly actor?: string };
};

/** Reads the text of an event: every reader of the ledger goes through here. Throws for text that is none. */
export function readBody(text: string): Body {
  const body = revive(JSON.parse(text) as StoredBody);
  const { stream, meta: said } = body;
  const meta = said ? { ...said, actor: said.actor ?? ownerOf(stream) } : null;
  return { ...body, meta };
}

/**
 * The events of one command as they are stored: the tail of each body, from `"data":` to the closing brace. The first has
 * the meta, without its actor where the player of the stream acted. `write`: `serialize`, unless a test forges.
 */
export function tailsOf(
  stream: string,
  o: { readonly events: readonly LedgerEvent[]; readonly meta: Meta },
  write: (value: unknown, what: string) => string = serialize,
): { readonly type: string; readonly tail: string }[] {
  const { actor, ...rest } = o.meta;
  const meta = write(actor === ownerOf(stream) ? rest : o.meta, 'the meta');
  return o.events.map(({ type, data }, index) => {
    const end = index === 0 ? `,"meta":${meta}}` : '}';
    return { type, tail: `"data":${write(data, type)}${end}` };
  });
}

/** The player of a stream as an actor; empty for other streams. */
function ownerOf(stream: string): string {
  return stream.startsWith('player-') ? stream.replace('player-', 'player:') : '';
}
