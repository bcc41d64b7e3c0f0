import { createHistory, walletOf } from '@reelbook/testing/history';
import { expect, test } from 'vitest';
import { fold } from './projection.ts';

test('returns a seal and an anchor with their positions, and nothing else', () => {
  const history = createHistory();
  history.register(walletOf(1));
  expect(fold(history.recorded())).toEqual({ seals: [], anchors: [] });
  history.seal(3);
  history.seal(6);
  history.anchor(2);
  expect(fold(history.recorded())).toMatchObject({
    seals: [
      { seal: 1, from: 1, to: 3, position: 6, previousRoot: null },
      { seal: 2, from: 4, to: 6, position: 7, sealedAt: '2026-11-21T13:00:07.000Z' },
    ],
    anchors: [{ fromSeal: 1, seal: 2, position: 8, anchoredAt: '2026-11-21T13:00:08.000Z' }],
  });
});
