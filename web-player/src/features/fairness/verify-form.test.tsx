// @vitest-environment happy-dom

import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, test, vi } from 'vitest';
import { VerifyForm } from './verify-form.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a nonce stays as it is typed; one that is no number is an error, and nothing is computed', async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  await act(async () =>
    root.render(
      <MemoryRouter>
        <VerifyForm />
      </MemoryRouter>,
    ),
  );
  const field = (label: string) => {
    const found = [...place.querySelectorAll('label')].find((one) => one.textContent === label);
    return document.getElementById(found?.htmlFor ?? '') as HTMLInputElement;
  };
  const type = (label: string, text: string) =>
    act(async () => {
      // Through the native setter: React ignores values that it has set itself.
      const { set } = Reflect.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value') ?? {};
      set?.call(field(label), text);
      field(label).dispatchEvent(new Event('input', { bubbles: true }));
    });
  await type('eventField.serverSeed', '5a'.repeat(32));
  for (const text of ['1e3', '1.5', '-5', '1,5', '1,2345', '1234567890', '一']) {
    await type('eventField.nonce', text);
    expect(field('eventField.nonce').value).toBe(text);
    expect(place.textContent, text).toContain('verify.badNonce');
    expect(place.textContent, text).toContain('verify.waiting');
  }
  const computed = [];
  // As proofs show it.
  for (const text of ['1234', '1,234', ' 01234 ']) {
    await type('eventField.nonce', text);
    expect(place.textContent, text).not.toContain('verify.badNonce');
    computed.push(place.querySelector('dl')?.textContent);
  }
  expect(computed[0]).toContain('paytable.pays');
  expect(new Set(computed).size).toBe(1);
  await act(async () => root.unmount());
});
