import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalJson } from './canonical.ts';

describe('canonical JSON', () => {
  test('matches the example of RFC 8785', () => {
    const value = {
      numbers: JSON.parse('[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001]'),
      string: '€$\u000f\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
        '"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  test('orders keys by their UTF-16 code units, as RFC 8785 shows', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\ud83d\ude00', '\u0080', '\u00f6'];
    const value = Object.fromEntries(keys.map((key) => [key, 0]));
    expect(Object.keys(JSON.parse(canonicalJson(value)))).toHaveLength(keys.length);
    const ordered = ['\r', '1', '\u0080', '\u00f6', '\u20ac', '\ud83d\ude00', '\ufb33'];
    expect(canonicalJson(value)).toBe(
      `{${ordered.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`,
    );
  });

  test('keeps every JSON value, and is the same for any order of keys', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(JSON.parse(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test.each([undefined, Number.NaN, Number.POSITIVE_INFINITY, 1n, () => 1])(
    'refuses %s',
    (value) => {
      expect(() => canonicalJson({ value })).toThrow(TypeError);
    },
  );
});
