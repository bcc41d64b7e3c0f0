/** A page that missed a change of the configuration moves nothing at other terms than it showed. */
import { type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { afterAll, beforeAll, expect, test } from 'vitest';

let bank: PayingSite;
beforeAll(async () => {
  bank = await startPayingSite();
});
afterAll(() => bank.close());

test('an exchange, a withdrawal and a start at terms that are not in force are refused', async () => {
  const cashier = await bank.startCashier();
  const player = await bank.player(10n ** 10n);
  await bank.credit(player, 10n ** 10n);
  // Nothing but the calls below appends.
  await cashier.close();
  const exchange = (rate?: number) => ({
    path: '/transaction/exchange',
    body: { from_type: 'token', to_type: 'points', amount: 1, rate },
  });
  const withdraw = (fee_rate?: number) => ({
    path: '/transaction/withdraw',
    body: { amount: 2, to_address: player.wallet.address, fee_rate },
  });
  const start = (bet_amount?: number) => ({ path: '/game/tetris/start', body: { bet_amount } });
  const send = ({ path, body }: { path: string; body: object }, key?: string) =>
    player.call<{ error: string }>(path, { body, ...(key && { key }) });
  for (const [other, same, none] of [
    [exchange(99.9), exchange(100), exchange()],
    [withdraw(0.01), withdraw(0.05), withdraw()],
    [start(9), start(10), null],
  ] as const) {
    const before = (await player.call('/user/balance')).data;
    const refused = await send(other);
    expect(refused).toMatchObject({ status: 422, data: { error: 'terms-changed' } });
    expect((await player.call('/user/balance')).data).toEqual(before);
    const key = `same:${same.path}`;
    const [first, again] = [await send(same, key), await send(same, key)];
    expect([first.status, again]).toEqual([200, first]);
    // What was executed keeps its result, whatever was shown when it is sent again.
    expect((await send(other, key)).data).toEqual(first.data);
    if (none) expect((await send(none)).status).toBe(200);
  }
});
