// @vitest-environment happy-dom

import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { CountUp } from './celebration.tsx';

afterEach(() => vi.unstubAllGlobals());

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
