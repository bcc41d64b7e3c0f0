import { expect, test } from 'vitest';
import { winnerName } from './winner-name.ts';

test('a long or missing nickname becomes "User" and the last five characters', () => {
  expect(winnerName({ user_nickname: 'lucky_fox', user_id: 'p1' })).toBe('lucky_fox');
  expect(winnerName({ user_nickname: 'aaaaaaaaaaaaaaaabcdef', user_id: 'p1' })).toBe('Userbcdef');
  expect(winnerName({ user_nickname: null, user_id: 'p_9fk2x' })).toBe('User9fk2x');
  expect(winnerName({ user_nickname: null, user_id: '' })).toBeNull();
});
