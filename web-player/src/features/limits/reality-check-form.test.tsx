// @vitest-environment happy-dom

import { QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, expect, test, vi } from 'vitest';
import { api } from '../../lib/api.ts';
import { queryClient } from '../../lib/queries.ts';
import { RealityCheckForm } from './limits.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('options that are only passed record nothing; the button sends the last one and keeps the focus', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const call = vi.spyOn(api, 'call').mockReturnValue(new Promise(() => {}));
  const root = createRoot(document.body.appendChild(document.createElement('div')));
  const check = { interval_minutes: null, chosen_by: 'player', due: false, next_at: null } as const;
  await act(async () =>
    root.render(
      <QueryClientProvider client={queryClient}>
        <RealityCheckForm check={check} />
      </QueryClientProvider>,
    ),
  );
  const select = document.querySelector('select') as HTMLSelectElement;
  const pass = (value: string) =>
    act(async () => {
      select.value = value;
      select.dispatchEvent(new Event('change', { bubbles: true }));
    });
  select.focus();
  for (const minutes of ['15', '30', '60']) await pass(minutes);
  expect(call).not.toHaveBeenCalled();
  expect([select.value, document.activeElement]).toEqual(['60', select]);
  const button = document.querySelector('button') as HTMLButtonElement;
  button.focus();
  for (let n = 0; n < 2; n++) await act(async () => button.click());
  expect(call.mock.calls).toEqual([['setRealityCheck', { body: { interval_minutes: 60 } }]]);
  expect([button.disabled, document.activeElement]).toEqual([false, button]);
  await act(async () => root.unmount());
});
