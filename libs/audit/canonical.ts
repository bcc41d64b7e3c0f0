import { encode } from '@reelbook/ledger/codec';

/** JSON with the keys of objects in order, amounts as text: equal values give equal texts. */
export function canonical(value: unknown): string {
  const ordered = (inner: unknown): unknown => {
    if (inner === null || typeof inner !== 'object') return inner;
    if (Array.isArray(inner)) return inner.map(ordered);
    const entries = Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1));
    return Object.fromEntries(entries.map(([key, part]) => [key, ordered(part)]));
  };
  return encode(ordered(value));
}
