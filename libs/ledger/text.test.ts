import { describe, expect, test } from 'vitest';
import { isReason, REASON_MAX_LENGTH } from './text.ts';

describe('a reason', () => {
  test.each([
    'paid twice',
    '重复付款 2',
    'Zażółć',
    'سبب',
    'thanks 👩🏽‍🚀 ❤️ 1️⃣',
    '"=1+1"',
    'x'.repeat(REASON_MAX_LENGTH),
  ])('may be %j', (text) => expect(isReason(text)).toBe(true));

  test.each([
    '',
    ' ',
    'x'.repeat(REASON_MAX_LENGTH + 1),
    'a\nb',
    'a\u0000',
    '\ud800',
    'a\u202eb',
    'a\u2066b',
    'a\u200fb',
    'a\u200bb',
    'a\u200db',
    'a\ufeffb',
    'a\u00adb',
    '\u3164',
    'a\u2028b',
    'a\ufe0f',
    '\u{e0041}',
  ])('may not be %j', (text) => expect(isReason(text)).toBe(false));
});
