import { expect, test } from 'vitest';
import { partOf } from '../components/player-field.tsx';

test.each([
  [' AbCd…WxYz ', 'AbCd', 'WxYz'],
  ['AbCd...WxYz', 'AbCd', 'WxYz'],
  ['AbCd … WxYz', 'AbCd', 'WxYz'],
  ['AbCd…', 'AbCd', ''],
  ['…WxYz', '', 'WxYz'],
  ['Ann Lee', 'Ann Lee', ''],
  ['', '', ''],
])('%j starts with %j and ends with %j', (typed, start, end) => {
  expect(partOf(typed)).toEqual({ start, end });
});
