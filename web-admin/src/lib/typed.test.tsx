// @vitest-environment happy-dom

import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { BrowserRouter, type NavigateFunction, useNavigate } from 'react-router';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { PointField } from '../components/point-field.tsx';
import { api } from './api.ts';
import { usePoint, useTyped } from './point-in-time.ts';

const HEAD = 90;
let root: Root;
let navigate: NavigateFunction;

/** A page with both kinds of fields. */
function Page() {
  navigate = useNavigate();
  const [typed, setTyped] = useTyped('q');
  const [since, setSince] = usePoint('since');
  return (
    <>
      <input id="typed" value={typed} onChange={({ target }) => setTyped(target.value)} />
      <PointField label="From" point={since} onChange={setSince} />
    </>
  );
}

const field = (selector: string) => document.querySelector(selector) as HTMLInputElement;
const text = () => field('#typed');
const since = () => field('form input');
const param = (name: string) => new URLSearchParams(location.search).get(name);
const open = (path: string) => act(async () => navigate(path));

/** As a browser does it: React ignores a value that it has set itself. */
function enter(input: HTMLInputElement, value: string): void {
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value);
  input.dispatchEvent(new Event('input', { bubbles: true }));
}
const type = (input: HTMLInputElement, value: string) => act(async () => enter(input, value));
const submit = () =>
  act(async () => {
    since().form?.dispatchEvent(new Event('submit', { bubbles: true, cancelable: true }));
  });

beforeEach(async () => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.spyOn(api, 'call').mockResolvedValue({ head: { position: HEAD } } as never);
  history.replaceState(null, '', '/deposits');
  root = createRoot(document.body.appendChild(document.createElement('div')));
  await act(async () =>
    root.render(
      <BrowserRouter>
        <Page />
      </BrowserRouter>,
    ),
  );
});
afterEach(async () => {
  await act(async () => root.unmount());
  document.body.replaceChildren();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

test('a field keeps what is typed, with its spaces, and the URL follows it', async () => {
  await act(async () => {
    for (const part of ['a', 'an', 'anna', 'anna ']) enter(text(), part);
  });
  expect([text().value, param('q')]).toEqual(['anna ', 'anna']);
  await type(text(), '');
  expect([text().value, param('q')]).toEqual(['', null]);
});

test('a field shows the parameter of a link, also one that was typed before', async () => {
  await type(text(), 'tom');
  await open('/deposits');
  expect(text().value).toBe('');
  await open('/deposits?q=tom');
  expect(text().value).toBe('tom');
  await type(text(), 'anna ');
  await open('/deposits?q=tom');
  expect(text().value).toBe('tom');
  await open('/deposits');
  expect(text().value).toBe('');
});

test('a field for a point in time shows the one that is applied, and takes it again', async () => {
  await type(since(), '#50');
  await submit();
  expect([since().value, param('since')]).toEqual(['#50', '50']);
  await open('/deposits');
  expect([since().value, param('since')]).toEqual(['', null]);
  await type(since(), '#50');
  await submit();
  expect([since().value, param('since')]).toEqual(['#50', '50']);
  await open('/deposits?since=60');
  expect(since().value).toBe('60');
});

test('what is no point stays in its field with the reason, until a link changes the point', async () => {
  await type(since(), String(HEAD + 1));
  await submit();
  expect(document.body.textContent).toContain(`The ledger ends at #${HEAD}.`);
  await open('/deposits?q=tom');
  expect(since().value).toBe(String(HEAD + 1));
  await open('/deposits?since=60');
  expect(since().value).toBe('60');
  expect(document.body.textContent).not.toContain('The ledger ends');
});
