// @vitest-environment happy-dom

import type { ApiError } from '@reelbook/contract/client';
import { WAIT } from '@reelbook/testing/wait';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { balances } from '../../lib/balances-store.ts';
import { PLAYER_DATA, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session-store.ts';
import { type TimedGame, useTimedRound } from './use-timed-round.ts';

const game = {
  id: 'ticking',
  simulate: () => [{ tick: 1, score: 0, last: true }],
  report: ({ tick }) => ({ tick }),
} as Pick<TimedGame, 'id' | 'simulate' | 'report'> as TimedGame;
const ROUND = { round_id: 'p-1', rules: 'ticking-1', round_seed: 's', tick_ms: 1, elapsed_ms: 9 };
const RESULT = {
  outcome: {},
  figures: {},
  reward: 0,
  bet_amount: 10,
  win_amount: 0,
  total_win: 0,
  stream_version: 2,
  position: 4,
  points_balance: 90,
  token_balance: 0,
};

/** The answer to the next submission. */
let answer: { status: number; message: string; data: object | null };
const onFault = vi.fn<(key: string, refusal: ApiError | null) => void>();
let round: ReturnType<typeof useTimedRound>;
let root: Root;

function Probe() {
  round = useTimedRound(game, onFault);
  return round.state.phase;
}

const shows = (phase: string) =>
  vi.waitFor(() => expect(document.body.textContent).toBe(phase), WAIT);
function submit(): void {
  if ('running' in round.state) void round.end(round.state.running);
}

beforeEach(async () => {
  vi.stubGlobal('fetch', async (path: string) => {
    const found = { status: 200, message: 'success', data: { round: ROUND } };
    const { status, ...envelope } = path.endsWith('/play') ? answer : found;
    return Response.json({ code: status, ...envelope }, { status });
  });
  session.signIn({ token: 't', expires_at: '', user: { wallet_address: 'me' } as never });
  root = createRoot(document.body.appendChild(document.createElement('p')));
  root.render(<Probe />);
  await shows('running');
});
afterEach(() => {
  root.unmount();
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  onFault.mockClear();
  balances.reset();
  session.clear();
  queryClient.clear();
});

test.each(['round-voided', 'round-differs', 'round-not-open'])(
  'a result that is refused (%s) leaves the game free for another round',
  async (error) => {
    const loaded = vi.spyOn(queryClient, 'invalidateQueries');
    answer = { status: 409, message: 'refused', data: { error } };
    submit();
    await shows('idle');
    expect(onFault.mock.calls).toEqual([
      ['mini.fault.submit', expect.objectContaining({ data: { error } })],
    ]);
    // The points of a voided round were returned.
    await vi.waitFor(() => expect(loaded).toHaveBeenCalledWith({ queryKey: [PLAYER_DATA] }), WAIT);
    loaded.mockRestore();
  },
);

test('a result that was not refused by the rules can be sent again', async () => {
  answer = { status: 422, message: 'no', data: null };
  submit();
  await shows('stuck');
  answer = { status: 200, message: 'success', data: RESULT };
  submit();
  await shows('over');
});
