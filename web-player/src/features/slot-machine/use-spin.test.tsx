// @vitest-environment happy-dom

import { WAIT } from '@reelbook/testing/wait';
import { deviceStorage } from '@reelbook/web/storage';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { balances } from '../../lib/balances-store.ts';
import { queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { useSpin } from './use-spin.ts';

const SEEDS = {
  pair: 2,
  active: { server_seed_hash: 'a', client_seed: 'b', client_seed_by: 'player', nonce: 0 },
  next: { server_seed_hash: 'c' },
  revealed: [],
};
const ROUND = {
  symbols: [[1, 2, 3]],
  multiple: 0,
  total_win: 0,
  win_amount: 0,
  bet_amount: 10,
  lines: 25,
  nonce: 0,
  bet_position: 3,
  stream_version: 2,
  position: 4,
  points_balance: 90,
  token_balance: 0,
};

/** The requests that the test answers, by the end of their path. */
const open = new Map<string, { answer(data: object): void; lose(): void }>();
let spins: ReturnType<typeof useSpin>;
let root: Root;

function Probe() {
  spins = useSpin('me');
  return spins.state.phase;
}

const reply = (data: object) => Response.json({ code: 200, message: 'success', data });
const asked = (end: string) =>
  vi.waitFor(() => {
    const request = open.get(end);
    expect([...open.keys()]).toContain(end);
    return request;
  }, WAIT);
const isHeld = () => balances.get()?.held;

beforeEach(() => {
  vi.stubGlobal('fetch', (path: string) => {
    if (path.endsWith('/fairness/seeds')) return Promise.resolve(reply(SEEDS));
    return new Promise((resolve, reject) => {
      open.set(path.replace(/.*\//, ''), {
        answer: (data) => resolve(reply(data)),
        lose: () => reject(new TypeError('the connection broke')),
      });
    });
  });
  session.signIn({ token: 't', expires_at: '', user: { wallet_address: 'me' } as never });
  balances.accept({ points_balance: 100, token_balance: 0, stream_version: 1, position: 2 });
  root = createRoot(document.body.appendChild(document.createElement('p')));
});
afterEach(() => {
  vi.unstubAllGlobals();
  open.clear();
  document.body.replaceChildren();
  balances.reset();
  session.clear();
  deviceStorage.remove('pending_bet');
  queryClient.clear();
});

const show = async () => {
  root.render(<Probe />);
  await vi.waitFor(() => expect(document.body.textContent).not.toBe(''), WAIT);
};

test('an answer that is lost after the page was left holds no balance back', async () => {
  await show();
  spins.spin(10);
  const bet = await asked('bet');
  expect(balances.get()).toMatchObject({ points: 90, held: true });
  root.unmount();
  expect(isHeld()).toBe(false);
  bet?.lose();
  // All that follows without a further request.
  await new Promise((wake) => setTimeout(wake));
  expect(isHeld()).toBe(false);
});

test('a result that a discard finds after the page was left holds no balance back', async () => {
  const pending = { wallet: 'me', key: 'k', atMs: Date.now(), bet: 10, left: 90 };
  deviceStorage.set('pending_bet', JSON.stringify(pending));
  await show();
  await asked('k');
  expect(isHeld()).toBe(true);
  const discarding = spins.discard();
  const discard = await asked('discard');
  root.unmount();
  discard?.answer({ status: 'done', result: ROUND });
  await discarding;
  expect(isHeld()).toBe(false);
});

test('a round ends although its reels report no rest', async () => {
  await show();
  spins.spin(10);
  const bet = await asked('bet');
  bet?.answer(ROUND);
  await vi.waitFor(() => expect(document.body.textContent).toBe('settled'), WAIT);
  expect(isHeld()).toBe(false);
});
