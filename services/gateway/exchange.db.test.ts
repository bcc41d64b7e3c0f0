import type { ExchangeResult } from '@reelbook/contract/player/wallet';
import { call } from '@reelbook/simulator/client/api';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { observeTreasury } from '@reelbook/testing/treasury';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const MILLION_BSM = 1_000_000_000_000_000n;

let site: TestSite;
beforeAll(async () => {
  site = await startSite();
  await observeTreasury(site.pool, MILLION_BSM);
});
afterAll(() => site.close());

const exchange = (player: TestPlayer, from: string, amount: unknown, key?: string) =>
  player.call<ExchangeResult>('/transaction/exchange', {
    body: { from_type: from, to_type: from === 'points' ? 'token' : 'points', amount },
    ...(key === undefined ? {} : { key }),
  });
const margin = async () => {
  const { rows } = await site.pool.query<{ margin: string }>(
    'select token_margin::text as margin from ledger_head',
  );
  return BigInt(rows[0]?.margin ?? 0);
};

describe('an exchange', () => {
  test('of points for BSM and back responds as clients of the specification expect', async () => {
    const player = await site.login();
    const before = await margin();
    const there = await exchange(player, 'points', 250.5);
    expect(there.status).toBe(200);
    expect(there.data).toMatchObject({
      success: true,
      tokens_received: 2.505,
      points_received: 0,
      rate: 0.01,
      amount: 250.5,
      balance: 2.505,
      token_balance: 2.505,
      points_balance: 749.5,
    });
    expect(there.position).toBe(there.data.position);
    expect(await margin()).toBe(before - 2_505_000_000n);
    const back = await exchange(player, 'token', 2.505);
    expect(back.data).toMatchObject({
      success: true,
      tokens_received: 0,
      points_received: 250.5,
      rate: 100,
      token_balance: 0,
      points_balance: 1_000,
    });
    expect(await margin()).toBe(before);
    expect((await player.call('/user/balance')).data).toMatchObject({ points_balance: 1_000 });
  });

  test('is in the history as two rows with the keywords that clients read', async () => {
    const player = await site.login();
    const { data } = await exchange(player, 'points', 100);
    type Rows = { items: { position: number; extra_data: string }[]; total: number };
    const read = () => player.call<Rows>('/user/transactions');
    await expect.poll(async () => (await read()).data.total).toBe(3);
    const { items } = (await read()).data;
    const extra = items.slice(0, 2).map(({ extra_data }) => JSON.parse(extra_data));
    expect(items.slice(0, 2)).toMatchObject([
      { id: `${data.position}-token`, type: 'exchange', amount: 1, asset: 'token' },
      { id: `${data.position}-points`, type: 'exchange', amount: -100, asset: 'points' },
    ]);
    expect(extra).toEqual([
      { action: 'exchange_to', from_type: 'points', to_type: 'tokens' },
      { action: 'exchange_from', from_type: 'points', to_type: 'tokens' },
    ]);
  });

  test('with the same key returns the first response, and is done once', async () => {
    const player = await site.login();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => exchange(player, 'points', 10, 'same')),
    );
    for (const answer of answers) expect(answer).toEqual(answers[0]);
    expect(answers[0]?.data.points_balance).toBe(990);
    expect(await exchange(player, 'points', 11, 'same')).toMatchObject({
      status: 422,
      data: { error: 'idempotency-key-reused' },
    });
    const bet = { body: { bet_amount: 1 }, key: 'same' };
    expect((await player.call('/game/slot-machine/bet', bet)).status).toBe(422);
  });

  test.each([
    ['points', 1_000.01, 400, 'Insufficient points balance!'],
    ['token', 0.000000001, 400, 'Insufficient token balance!'],
    ['points', 0, 400, 'exchange amount must be above 0'],
    ['points', -5, 400, 'exchange amount must be above 0'],
    ['points', 1.001, 400, 'exchange amount must be above 0, with at most 2 decimals'],
    ['points', 1e300, 400, 'exchange amount too large'],
    ['token', 1e10, 400, 'exchange amount too large'],
    ['points', '5', 400, 'amount must be a number'],
    ['gold', 1, 400, 'from_type must be one of points, token'],
  ] as const)('of %s %d is refused in words: %d %s', async (from, amount, status, words) => {
    const player = await site.login();
    const answer = await exchange(player, from, amount);
    expect(answer.status).toBe(status);
    expect(answer.message).toContain(words);
    expect((await player.call('/user/balance')).data).toMatchObject({
      points_balance: 1_000,
      token_balance: 0,
    });
  });

  test('of an asset for itself, or without a session, is refused', async () => {
    const player = await site.login();
    const body = { from_type: 'points', to_type: 'points', amount: 1 };
    const same = await player.call('/transaction/exchange', { body });
    expect(same).toMatchObject({ status: 400, message: 'from_type and to_type must differ' });
    expect((await site.call('/transaction/exchange', { body })).status).toBe(401);
  });

  test('never exceeds the BSM of the treasury, also concurrently on two gateways', async () => {
    const players = await Promise.all(Array.from({ length: 8 }, () => site.login()));
    const owed = MILLION_BSM - (await margin());
    await observeTreasury(site.pool, owed + 35_000_000_000n);
    const { url } = await site.addGateway();
    const there = (player: TestPlayer): TestPlayer => ({
      ...player,
      call: (path, options) => call(url, path, { token: player.token, ...options }),
    });
    const answers = await Promise.all(
      players.map((player, n) => exchange(n % 2 ? there(player) : player, 'points', 1_000)),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(3);
    for (const { status, message, data } of answers.filter((one) => one.status !== 200)) {
      expect({ status, data }).toMatchObject({ status: 422, data: { error: 'over-cover' } });
      expect(message).toContain('treasury');
    }
    expect(await margin()).toBe(5_000_000_000n);
    // A smaller treasury is observed, and exchanges that return BSM are always accepted.
    await observeTreasury(site.pool, 0n);
    expect(await margin()).toBeLessThan(0n);
    const owner = players[answers.findIndex(({ status }) => status === 200)];
    if (!owner) throw new Error('three have BSM');
    expect((await exchange(owner, 'token', 10)).status).toBe(200);
    expect((await exchange(owner, 'points', 1)).status).toBe(422);
    await observeTreasury(site.pool, MILLION_BSM);
    expect((await exchange(owner, 'points', 1)).status).toBe(200);
  });
});

describe('the configuration', () => {
  test.each([
    ['/config/system', { withdraw_fee_rate: 0.05, min_deposit: 1, max_deposit: 1_000_000 }],
    ['/config/token', { token_decimals: 9, token_contract: null }],
    [
      '/config/exchange-rates',
      { exchange_rates: { points_to_tokens: 0.01, tokens_to_points: 100 } },
    ],
    ['/config/project-wallet', { project_wallet: null }],
    ['/config/token-contract', { token_contract: null }],
  ])('is public at %s', async (path, data) => {
    expect(await site.call(path)).toMatchObject({ status: 200, data });
  });
});
