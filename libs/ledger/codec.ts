import { assert, Bug } from './assert.ts';
import type { LedgerEvent } from './decider.ts';
import type { Meta } from './events.ts';
import { isPlainTree } from './text.ts';

/**
 * Bigints in JSON: every key that ends in `Minor` is an integer amount, as a decimal string in the ledger and as a bigint
 * in code. The name decides, so a new event needs no codec.
 */
export function encode(value: unknown): string {
  return JSON.stringify(withTexts(value));
}

/** A copy with amounts as texts. A replacer would be called for every key, which costs 50 % more. */
function withTexts(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withTexts);
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = withTexts((value as Record<string, unknown>)[key]);
  return copy;
}

/**
 * JSON with sorted keys and amounts as texts: equal values give equal texts. The hash of a request is stored with its
 * idempotency key, so the text of a value never changes.
 */
export function canonical(value: unknown): string {
  if (typeof value === 'bigint') return `"${value}"`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  const record = value as Record<string, unknown>;
  const names = Object.keys(record).filter((name) => record[name] !== undefined);
  const parts = names.sort().map((name) => `${JSON.stringify(name)}:${canonical(record[name])}`);
  return `{${parts.join()}}`;
}

/** Characters that JSON escapes; only a quote and a backslash are plain text. */
const PERHAPS_NOT_PLAIN = /[\\\u007f-\u009f]/;

/** Whether a value, of this JSON, has only text that the ledger accepts. */
export const isPlain = (text: string, value: unknown) =>
  !PERHAPS_NOT_PLAIN.test(text) || isPlainTree(value);

/**
 * `encode` for the ledger, in one pass: throws `Bug` where `decode` would not return the same value, or where the value
 * contains text that the ledger does not accept. `what` names the value in the message.
 */
export function serialize(value: unknown, what: string): string {
  const text = JSON.stringify(serializable(value, '', what));
  assert(isPlain(text, value), `${what} carries text that the ledger does not take`);
  return text;
}

/**
 * As `withTexts`. An amount under another name would be read back as text, and text under an amount's name would break
 * every reader of the ledger.
 */
function serializable(value: unknown, key: string, what: string): unknown {
  switch (typeof value) {
    case 'string':
      if (key.endsWith('Minor')) break;
      return value;
    case 'bigint':
      if (!key.endsWith('Minor')) break;
      return value.toString();
    case 'number':
      if (!Number.isFinite(value) || Object.is(value, -0)) break;
      return value;
    case 'boolean':
      return value;
    case 'object': {
      if (value === null) return null;
      if (Array.isArray(value)) return value.map((inner) => serializable(inner, '', what));
      const copy: Record<string, unknown> = {};
      for (const name in value) {
        copy[name] = serializable((value as Record<string, unknown>)[name], name, what);
      }
      return copy;
    }
    default:
  }
  throw new Bug(`${what} would not come back as it was written`);
}

/** The inverse of `encode`. Throws SyntaxError for invalid JSON or an amount that is not an integer. */
export function decode<T>(text: string): T {
  return revive(JSON.parse(text)) as T;
}

/** Turns the `...Minor` strings of a parsed JSON value into bigints, in place. */
function revive<T>(value: T): T {
  if (value !== null && typeof value === 'object') {
    const record = value as Record<string, unknown>;
    for (const key in record) {
      const inner = record[key];
      if (typeof inner === 'string') {
        if (key.endsWith('Minor')) record[key] = BigInt(inner);
      } else if (inner !== null && typeof inner === 'object') revive(inner);
    }
  }
  return value;
}

/** The text of an event, parsed. */
export interface Body {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly time: string;
  /** Postgres' clock, present if the ledger was ahead of it by more than 30 s: then `time` equals the previous event's. */
  readonly clock?: string;
  readonly data: object;
  /** Null for all events of a command except its first. */
  readonly meta: Meta | null;
}

/** The text as it is stored. */
type StoredBody = Omit<Body, 'meta'> & {
  readonly meta?: Omit<Meta, 'actor'> & { readonly actor?: string };
};

/** Parses the text of an event, for every reader of the ledger. Throws for invalid text. */
export function readBody(text: string): Body {
  const body = revive(JSON.parse(text) as StoredBody);
  const { stream, meta: stored } = body;
  const meta = stored ? { ...stored, actor: stored.actor ?? ownerOf(stream) } : null;
  return { ...body, meta };
}

/**
 * The events of one command as they are stored: the end of each body, from `"data":` to the closing brace. The first has
 * the meta, without its actor where the player of the stream acted. `write` is `serialize`, except in tests that forge events.
 */
export function tailsOf(
  stream: string,
  command: { readonly events: readonly LedgerEvent[]; readonly meta: Meta },
  write: (value: unknown, what: string) => string = serialize,
): { readonly type: string; readonly tail: string }[] {
  const { actor, ...rest } = command.meta;
  const meta = write(actor === ownerOf(stream) ? rest : command.meta, 'the meta');
  return command.events.map(({ type, data }, index) => {
    const end = index === 0 ? `,"meta":${meta}}` : '}';
    return { type, tail: `"data":${write(data, type)}${end}` };
  });
}

/** The player of a stream as an actor; empty for other streams. */
function ownerOf(stream: string): string {
  return stream.startsWith('player-') ? stream.replace('player-', 'player:') : '';
}
