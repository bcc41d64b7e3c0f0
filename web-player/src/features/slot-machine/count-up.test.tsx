// @vitest-environment happy-dom

import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { Celebration, CountUp } from './celebration.tsx';
import { ResultLine, ResultModal } from './result.tsx';

afterEach(() => vi.unstubAllGlobals());

test('three comets that the maximum win reduces are a jackpot, with a multiple of two decimals', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const round = {
    round_id: 'one-1',
    created_at: '2026-11-26T12:00:00Z',
    symbols: [[1, 1, 1]],
    row: 'three-comets',
    bet_amount: 600,
    win_amount: 10_000,
    rules: 'slot-1',
    server_seed_hash: '',
    client_seed: '',
    nonce: 0,
    position: 1,
  };
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <>
        <Celebration stake={600} win={10_000} row={round.row} />
        <ResultLine
          state={{ phase: 'settled', round, committed: null }}
          onDiscard={async () => undefined}
          onAgain={null}
        />
        <ResultModal round={round} onClose={() => undefined} />
      </>,
    ),
  );
  expect(place.querySelector('.celebration')?.getAttribute('data-size')).toBe('jackpot');
  expect(place.querySelectorAll('.falling-coin')).toHaveLength(20);
  for (const shown of ['.jackpot > p:last-child', '.multiple', '.result-detail']) {
    expect(place.querySelector(shown)?.textContent, shown).toMatch(
      /^(row.three-comets · )?16\.67 × 600$/,
    );
  }
  await act(async () => root.unmount());
  place.remove();
});

test('a win does not flash as a loss when its first frame began before the count', async () => {
  let draw: FrameRequestCallback = () => undefined;
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('requestAnimationFrame', (next: FrameRequestCallback) => {
    draw = next;
    return 1;
  });
  vi.stubGlobal('cancelAnimationFrame', () => undefined);
  const firstFrame = performance.now() - 50;
  const root = createRoot(document.body.appendChild(document.createElement('p')));
  await act(async () => root.render(<CountUp to={30} />));
  const shownAfter = async (ms: number) => {
    await act(async () => draw(firstFrame + ms));
    return document.body.textContent;
  };
  expect(await shownAfter(0)).toBe('0.00');
  expect(await shownAfter(300)).toBe('+26.25');
  expect(await shownAfter(600)).toBe('+30.00');
  await act(async () => root.unmount());
});
