import { expect, test } from 'vitest';
import { safeStorage } from './storage.ts';

test('a blocked storage is kept in memory while the tab lives', () => {
  const blocked = safeStorage(() => {
    throw new Error('denied');
  });
  expect(blocked.get('a')).toBeNull();
  blocked.set('a', '1');
  expect(blocked.get('a')).toBe('1');
  blocked.remove('a');
  expect(blocked.get('a')).toBeNull();
});

test('a full storage returns the new value, not the stored one', () => {
  const full = {
    getItem: () => 'old',
    setItem: () => {
      throw new Error('quota');
    },
    removeItem: () => undefined,
  } as unknown as Storage;
  const kept = safeStorage(() => full);
  kept.set('a', 'new');
  expect(kept.get('a')).toBe('new');
});
