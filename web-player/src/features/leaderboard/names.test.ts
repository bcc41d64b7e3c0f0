import { expect, test } from 'vitest';
import { avatarOf, leaderName } from './names.ts';

const named = (nickname: string | null) => ({ nickname, public_id: 'p_abc12345' });

test('names are cut to 8 at the sides, 10 in the middle and 15 in the list, by characters', () => {
  const leader = named('abcdefghijklmnopqrst');
  expect(leaderName(leader, 'side')).toBe('abcdefgh…');
  expect(leaderName(leader, 'first')).toBe('abcdefghij…');
  expect(leaderName(leader, 'list')).toBe('abcdefghijklmno…');
  expect(leaderName(named('🦊🦊🦊🦊🦊🦊🦊🦊'), 'side')).toBe('🦊🦊🦊🦊🦊🦊🦊🦊');
  expect(leaderName(named(null), 'list')).toBe('User12345');
});

test('a player keeps the same avatar', () => {
  expect(avatarOf(named(null))).toBe(avatarOf(named('other')));
  expect(avatarOf({ public_id: '' })).toBeTruthy();
});
