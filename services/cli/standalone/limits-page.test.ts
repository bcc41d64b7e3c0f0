import { read } from '@reelbook/testing/repository';
import { expect, test } from 'vitest';
import { limitsPage } from './pages.ts';

test('docs/limits.md is up to date; npm run generate writes it', () => {
  expect(read('docs/limits.md')).toBe(limitsPage());
});
