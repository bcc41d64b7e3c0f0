import { encode } from '@reelbook/ledger/codec';

/** Differences shown; a state with more differs as one change. */
export const CHANGES_MAX = 500;

/** A difference of two values; `path` starts at the root. A missing value is undefined. */
export interface Change {
  readonly path: string[];
  readonly kind: 'added' | 'removed' | 'changed';
  readonly before: unknown;
  readonly after: unknown;
}

/** Plain JSON of a state or an event: amounts as decimal text. */
export function toPlain(value: unknown): unknown {
  return value === undefined ? null : JSON.parse(encode(value));
}

/** The differences of two plain JSON values, leaf by leaf, in the order of the keys; at most CHANGES_MAX. */
export function findChanges(before: unknown, after: unknown): Change[] {
  const changes: Change[] = [];
  compare(before, after, [], changes);
  return changes;
}

function compare(before: unknown, after: unknown, path: string[], into: Change[]): void {
  if (into.length >= CHANGES_MAX || before === after) return;
  if (isBranch(before) && isBranch(after) && Array.isArray(before) === Array.isArray(after)) {
    const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
    for (const key of new Set([...old.keys(), ...now.keys()])) {
      compare(old.get(key), now.get(key), [...path, key], into);
    }
    return;
  }
  const kind = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  into.push({ path, kind, before: before ?? null, after: after ?? null });
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
