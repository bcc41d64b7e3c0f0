import { describe, expect, it } from 'vitest';
import { decode, encode, survivesCodec } from './codec.ts';

describe('the codec', () => {
  const kept = { a: [{ feeMinor: -5n }], b: null, c: 0.5, d: 'x', e: { f: true }, nullMinor: null };
  it('gives back what survives', () => {
    expect(survivesCodec(kept)).toBe(true);
    expect(decode(encode(kept))).toEqual(kept);
  });
  it.each([
    ['text under the name of an amount', { rowMinor: 'two pairs' }],
    ['an amount under another name', { outcome: { fee: 5n } }],
    ['amounts in a list', { stepsMinor: [1n, 2n] }],
    ['no number', { multiple: Number.NaN }],
    ['minus zero', { multiple: -0 }],
    ['nothing', { seen: undefined }],
  ])('tells what does not: %s', (_what, value) => {
    expect(survivesCodec(value)).toBe(false);
  });
});
