import { read } from '@reelbook/testing/repository';
import { expect, test } from 'vitest';
import { metricsPage } from './pages.ts';

test('docs/metrics.md names every metric; npm run generate writes it', () => {
  expect(read('docs/metrics.md')).toBe(metricsPage());
});
