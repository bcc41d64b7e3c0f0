// @vitest-environment happy-dom

import { WAIT } from '@reelbook/testing/wait';
import { deviceStorage } from '@reelbook/web/storage';
import { toasts } from '@reelbook/web/toasts';
import i18next from 'i18next';
import { useEffect } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createPendingCommands } from './pending-commands.ts';
import { useKeptCommand } from './use-kept-command.ts';

const pending = createPendingCommands<{ amount: number }>(
  deviceStorage,
  'pending_test',
  ({ amount }) => typeof amount === 'number',
);
const sent: number[] = [];
/** Approves in the wallet, whose window is open. */
let approve: () => void = () => {};
let command: ReturnType<typeof useKeptCommand<number, { amount: number }, number>>;
let root: Root;
let isReady = false;

function Probe() {
  command = useKeptCommand({
    wallet: 'me',
    pending,
    prepare: (amount: number) =>
      new Promise<{ amount: number }>((resolve) => {
        approve = () => resolve({ amount });
      }),
    send: async ({ amount }) => sent.push(amount),
    onDone: () => {},
    onRefused: () => {},
    onDiscarded: () => {},
  });
  // After the effects of the command: from then on it can be sent.
  useEffect(() => {
    isReady = true;
  }, []);
  return command.state.phase;
}

const texts = () => toasts.get().map(({ text }) => text);
const shows = (phase: string) =>
  vi.waitFor(() => expect(document.body.textContent).toBe(phase), WAIT);

beforeEach(async () => {
  vi.spyOn(i18next, 't').mockImplementation(((key: string) => key) as never);
  root = createRoot(document.body.appendChild(document.createElement('p')));
  root.render(<Probe />);
  await vi.waitFor(() => expect(isReady).toBe(true), WAIT);
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  vi.restoreAllMocks();
  toasts.set([]);
  sent.length = 0;
  isReady = false;
});

test('what the wallet signs is sent, without a word of a page that was left', async () => {
  const sending = command.send(5);
  await shows('sending');
  approve();
  await sending;
  expect([sent, texts()]).toEqual([[5], []]);
});

test.each(['while the wallet asks', 'before'])(
  'a page left %s sends nothing, and shows that',
  async (when) => {
    const { send } = command;
    if (when === 'before') root.unmount();
    const sending = send(5);
    root.unmount();
    approve();
    await sending;
    expect([sent, texts()]).toEqual([[], ['unconfirmed.left']]);
    expect(pending.find('me')).toBeNull();
  },
);
