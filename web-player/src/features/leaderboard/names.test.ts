import { expect, test } from 'vitest';
import { leaderName, markOf } from './leaderboard.tsx';

const named = (nickname: string | null) => ({ nickname, public_id: 'p_abc12345' });

test('names are cut to 9 at the sides, 10 in the middle and 15 in the list, by characters', () => {
  const leader = named('abcdefghijklmnopqrst');
  expect(leaderName(leader, 'side')).toBe('abcdefghi…');
  expect(leaderName(leader, 'first')).toBe('abcdefghij…');
  expect(leaderName(leader, 'list')).toBe('abcdefghijklmno…');
  expect(leaderName(named('🦊🦊🦊🦊🦊🦊🦊🦊'), 'side')).toBe('🦊🦊🦊🦊🦊🦊🦊🦊');
  expect(leaderName(named(null), 'list')).toBe('User12345');
});

test('a player keeps the same icon under any nickname', () => {
  expect(markOf(named(null))).toBe(markOf(named('other')));
  expect(markOf({ public_id: 'p_other' })).not.toBe(markOf(named(null)));
  expect(markOf({ public_id: '' })).toBe(0);
});
