// @vitest-environment happy-dom

import { ApiError } from '@reelbook/contract/client';
import { WAIT } from '@reelbook/testing/wait';
import { onlineManager, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCommand } from './use-command.ts';

/** The requests, which the test completes in order. */
const sent: { input: number; key: string; succeed(): void; fail(error: unknown): void }[] = [];
const done: number[] = [];
let command: ReturnType<typeof useCommand<number, number>>;
let root: Root;

function Probe({ same }: { same?: () => string }) {
  command = useCommand<number, number>({
    send: (input, key) =>
      new Promise((resolve, fail) => {
        sent.push({ input, key, succeed: () => resolve(input), fail });
      }),
    onDone: (result) => done.push(result),
    ...(same && { same }),
  });
  return command.busy ? 'busy' : command.error ? 'failed' : 'idle';
}

const shows = (text: string) =>
  vi.waitFor(() => expect(document.body.textContent).toBe(text), WAIT);
const show = async (same?: () => string) => {
  const probe = same ? <Probe same={same} /> : <Probe />;
  root.render(<QueryClientProvider client={new QueryClient()}>{probe}</QueryClientProvider>);
  await shows('idle');
};
const LOST = new ApiError(0, 'No connection', null);

async function send(input: number, end: 'succeed' | 'lose') {
  const before = sent.length;
  command.send(input);
  await vi.waitFor(() => expect(sent).toHaveLength(before + 1), WAIT);
  if (end === 'succeed') sent.at(-1)?.succeed();
  else sent.at(-1)?.fail(LOST);
  await shows(end === 'succeed' ? 'idle' : 'failed');
  return sent.at(-1)?.key;
}

beforeEach(() => {
  sent.length = 0;
  done.length = 0;
  root = createRoot(document.body.appendChild(document.createElement('p')));
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  onlineManager.setOnline(true);
});

test('a command whose response was lost is sent again under the same key', async () => {
  await show();
  const key = await send(10, 'lose');
  expect(await send(10, 'succeed')).toBe(key);
  expect(done).toEqual([10]);
});

test('a command without an input has a key, which a retry keeps', async () => {
  const keys: string[] = [];
  let press = () => {};
  function Plain() {
    const { send, busy, error } = useCommand<void>({
      send: async (_, key) => {
        keys.push(key);
        if (keys.length === 1) throw LOST;
      },
    });
    press = () => send();
    return busy ? 'busy' : error ? 'failed' : `sent ${keys.length}`;
  }
  root.render(
    <QueryClientProvider client={new QueryClient()}>
      <Plain />
    </QueryClientProvider>,
  );
  await shows('sent 0');
  press();
  await shows('failed');
  press();
  await shows('sent 2');
  press();
  await shows('sent 3');
  const [lost, again, another] = keys;
  expect(lost).toMatch(/^.{16,}$/);
  expect(again).toBe(lost);
  expect(another).not.toBe(lost);
});

test('another command, or the same one after success, gets another key', async () => {
  await show();
  const keys = [await send(10, 'lose'), await send(20, 'succeed'), await send(20, 'succeed')];
  expect(new Set(keys).size).toBe(3);
});

test('a dialog whose reason was reworded keeps its key', async () => {
  await show(() => 'this dialog');
  expect(await send(1, 'lose')).toBe(await send(2, 'succeed'));
});

test('a second press during a command sends nothing', async () => {
  await show();
  command.send(10);
  command.send(10);
  await shows('busy');
  sent[0]?.succeed();
  await shows('idle');
  expect(sent).toHaveLength(1);
  await send(10, 'succeed');
  expect(done).toEqual([10, 10]);
});

test('an offline browser does not queue a command', async () => {
  onlineManager.setOnline(false);
  await show();
  await send(10, 'lose');
});
