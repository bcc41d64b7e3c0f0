import { describe, expect, it, test } from 'vitest';
import { canonical, decode, encode, serialize } from './codec.ts';

describe('the codec', () => {
  const kept = { a: [{ feeMinor: -5n }], b: null, c: 0.5, d: 'x', e: { f: true }, nullMinor: null };
  it('returns the same value', () => {
    expect(serialize(kept, 'it')).toBe(encode(kept));
    expect(decode(encode(kept))).toEqual(kept);
  });
  it.each([
    ['text under the name of an amount', { rowMinor: 'two pairs' }],
    ['an amount under another name', { outcome: { fee: 5n } }],
    ['amounts in a list', { stepsMinor: [1n, 2n] }],
    ['no number', { multiple: Number.NaN }],
    ['minus zero', { multiple: -0 }],
    ['nothing', { seen: undefined }],
  ])('refuses a value that would change: %s', (_what, value) => {
    expect(() => serialize(value, 'it')).toThrow('it would not come back as it was written');
  });
  it('seals quotes and backslashes', () => {
    const text = { name: 'a "b" \\u0000 \\n' };
    expect(decode(serialize(text, 'it'))).toEqual(text);
  });
  it.each(['a\u0000', 'a\nb', '\u007f', '\u0085', '\ud800', '\udc00x'])(
    'seals no text that the ledger does not take: %j',
    (text) => {
      for (const value of [{ text }, { [text]: 1 }, [[text]]]) {
        expect(() => serialize(value, 'it')).toThrow(
          'it carries text that the ledger does not take',
        );
      }
    },
  );
});

test('equal values have one text, which never changes: hashes of requests are stored', () => {
  const value = {
    b: [1, undefined, null],
    10: 'ä"\n',
    9: -5n,
    a: { z: true, y: undefined },
    '\u20ac': 0.5,
  };
  expect(canonical(value)).toBe(
    '{"10":"ä\\"\\n","9":"-5","a":{"z":true},"b":[1,null,null],"€":0.5}',
  );
  expect(canonical({ '\u20ac': 0.5, a: { z: true }, 9: -5n, 10: 'ä"\n', b: [1, null, null] })).toBe(
    canonical(value),
  );
});
