import { assert, Bug } from './assert.ts';
import type { LedgerEvent } from './decider.ts';
import type { Meta } from './events.ts';
import { isPlainTree } from './text.ts';

/**
 * How bigints live in JSON: every key that ends in `Minor` holds an integer amount, as a decimal string in the
 * ledger and as a bigint in code. The rule is the name, so a new event needs no codec of its own.
 */
export function encode(value: unknown): string {
  return JSON.stringify(withTexts(value));
}

/** A copy with amounts as texts. A copy, because a replacer is called for every key and costs half as much again. */
function withTexts(value: unknown): unknown {
  if (typeof value === 'bigint') return value.toString();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return value.map(withTexts);
  const copy: Record<string, unknown> = {};
  for (const key in value) copy[key] = withTexts((value as Record<string, unknown>)[key]);
  return copy;
}

/**
 * JSON with the keys of objects in order, amounts as texts: equal values give equal texts. The hash of a request is kept
 * with its key, so the text of a value never changes.
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

/** What JSON escapes, which is not plain text unless it is a quote or a backslash, and what it does not escape. */
const PERHAPS_NOT_PLAIN = /[\\\u007f-\u009f]/;

/**
 * `encode` for the ledger, in one pass: throws `Bug` where `decode` would not give the value back, or where it holds text
 * that the ledger does not take. `what` names it.
 */
export function serialize(value: unknown, what: string): string {
  const text = JSON.stringify(serializable(value, '', what));
  const plain = !PERHAPS_NOT_PLAIN.test(text) || isPlainTree(value);
  assert(plain, `${what} carries text that the ledger does not take`);
  return text;
}

/**
 * As `withTexts`. An amount under another name would come back as text, and text under an amount's name would end every
 * reader of the ledger.
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

/** The inverse of `encode`. Throws SyntaxError for text that is no JSON or an amount that is no integer. */
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

/** What the text of an event has. */
export interface Body {
  readonly position: number;
  readonly stream: string;
  readonly version: number;
  readonly type: string;
  readonly time: string;
  /** Postgres' clock, where the ledger was ahead of it by more than 30 s: then `time` is that of the event before. */
  readonly clock?: string;
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
