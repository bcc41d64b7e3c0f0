/** A read with `at` returns what the live read returned when the ledger ended there. */
import { readHead } from '@reelbook/event-store/read-log';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import type { TestPlayer } from '@reelbook/simulator/stages/site';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview({ isPaying: false });
});
afterAll(() => bank?.close());

async function read<Data>(path: string): Promise<Data> {
  const { status, message, data } = await bank.admin.by.viewer.call<Data>(`/admin${path}`);
  if (status !== 200) throw new Error(`${path}: ${status} ${message}`);
  return data;
}

/** All reads of a player, live or as of a position. */
async function readAll({ wallet }: TestPlayer, at?: number) {
  const [query, until] = at === undefined ? ['', ''] : [`?at=${at}`, `&to_position=${at}`];
  const { standing, ...player } = await read<AdminData<'player'>>(
    `/players/${wallet.address}${query}`,
  );
  const { players } = await read<AdminData<'players'>>(`/players${query}`);
  const { entries } = await read<AdminData<'explorer'>>(`/explorer?limit=5${until}`);
  const { lines, sums } = await read<AdminData<'solvency'>>(`/house/solvency${query}`);
  return { standing, player, players, positions: entries.map((one) => one.position), lines, sums };
}

test('each read equals the live read of that position', async () => {
  const { pool } = bank.site;
  await bank.startCashier();
  const anna = await bank.player(5_000n * BSM);
  const bet = async (player: TestPlayer) => {
    const { status } = await player.call('/game/slot-machine/bet', { body: { bet_amount: 2 } });
    expect(status).toBe(200);
  };
  const operator = async (action: string, body: object) => {
    const path = `/admin/players/${anna.wallet.address}/${action}`;
    const { status, data } = await bank.admin.by.operator.call<{ proposal: number }>(path, {
      body,
    });
    expect(status).toBe(200);
    return data;
  };
  const rename = (nickname: string) =>
    anna.call('/user/profile', { method: 'PUT', body: { nickname } });
  const limit = { limit: 'loss', period: 'day', amount: 100 };
  const actions = [
    () => bet(anna),
    () => bank.credit(anna, 2_000n * BSM),
    () => bank.player(BSM),
    () => rename('Vixen'),
    () => rename('Fox'),
    async () => bank.reaches(await bank.withdraw(anna, 50), 'finalized'),
    () => anna.call('/user/protection/limits', { method: 'PUT', body: limit }),
    () => bet(anna),
    async () => void (await operator('suspend', { reason: 'papers are missing' })),
    async () => {
      const { proposal } = await operator('reinstate', { reason: 'they came' });
      await bank.admin.approve(proposal);
    },
    async () => void (await operator('exclusion', { term: 'permanent', reason: 'asked by mail' })),
  ];
  const live = new Map<number, Awaited<ReturnType<typeof readAll>>>();
  for (const act of actions) {
    const answer = await act();
    if (answer && 'status' in answer) expect(answer.status).toBe(200);
    for (;;) {
      const position = await untilCaughtUp(pool);
      const found = await readAll(anna);
      // Otherwise the cashier observed something meanwhile.
      if ((await untilCaughtUp(pool)) !== position) continue;
      live.set(position, found);
      break;
    }
  }
  expect(live.size).toBe(actions.length);
  for (const [position, found] of live) {
    expect(await readAll(anna, position), `#${position}`).toEqual(found);
  }
  const named = (q: string, at: number) =>
    read<AdminData<'players'>>(`/players?at=${at}&q=${q}`).then(({ players }) => players.length);
  const positions = [...live].filter(([, { player }]) => player.nickname === 'Vixen');
  const at = positions[0]?.[0] ?? 0;
  expect([await named('vix', at), await named('fox', at)]).toEqual([1, 0]);
});

test('a player is unknown before the registration, and a position after the head is refused', async () => {
  const { position: before } = await readHead(bank.site.pool);
  const { wallet } = await bank.player(BSM);
  await untilCaughtUp(bank.site.pool);
  const call = (path: string) => bank.admin.by.viewer.call(`/admin${path}`);
  expect((await call(`/players/${wallet.address}?at=${before}`)).status).toBe(404);
  const listed = await read<AdminData<'players'>>(`/players?at=${before}`);
  expect(listed.players.map((one) => one.wallet)).not.toContain(wallet.address);
  expect((await call(`/players/${wallet.address}?at=999999`)).status).toBe(400);
  expect((await call('/players?at=tomorrow')).status).toBe(400);
});
