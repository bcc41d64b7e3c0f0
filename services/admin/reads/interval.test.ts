import { Unanswerable } from '@reelbook/projections/entries/filter';
import { expect, test } from 'vitest';
import { intervalOf } from './finance.ts';

test('intervals are UTC days with a maximum length', () => {
  const now = Date.parse('2026-11-21T23:59:59.999Z');
  expect(intervalOf({}, now)).toEqual({ from: '2026-10-23', to: '2026-11-21' });
  expect(intervalOf({ from: '2026-11-21' }, now)).toEqual({ from: '2026-11-21', to: '2026-11-21' });
  const refused = [
    { from: '2026-02-30' },
    { to: 'today' },
    { from: '2026-11-22' },
    { from: '2025-01-01' },
    { from: '2026-11-21T00:00:00Z' },
  ];
  for (const asked of refused) expect(() => intervalOf(asked, now)).toThrow(Unanswerable);
});
