import { readStream } from '@reelbook/event-store/read-stream';
import { playerStream } from '@reelbook/ledger/streams';
import { readWithdrawal } from '@reelbook/projections/withdrawals/projection';
import { BSM, type PayingSite, startPayingSite } from '@reelbook/simulator/stages/paying-site';
import { afterAll, beforeAll, expect, test } from 'vitest';

let bank: PayingSite;
beforeAll(async () => {
  bank = await startPayingSite();
  await bank.startCashier();
});
afterAll(() => bank.close());

test('one correlation links request, log, ledger and chain', async () => {
  const player = await bank.player(10n * BSM);
  // Arrivals before the cashier's first scan belong to the house.
  await bank.until(async () => expect((await bank.solvency()).onChainMinor).not.toBeNull());
  await bank.credit(player, 5n * BSM);
  const answer = await fetch(`${bank.site.url}/api/v1/transaction/withdraw`, {
    method: 'POST',
    headers: { authorization: `Bearer ${player.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ amount: 2, to_address: player.wallet.address }),
  });
  const request = answer.headers.get('x-request-id');
  const { data } = (await answer.json()) as { data: { withdrawal_id: string } };
  const { withdrawal_id: withdrawal } = data;
  await bank.until(async () =>
    expect((await readWithdrawal(bank.site.pool, withdrawal))?.status).toBe('finalized'),
  );

  const lines = [...bank.site.logged, ...bank.logged].map(
    (line) => JSON.parse(line) as Record<string, unknown>,
  );
  const logged = (msg: string) => lines.find((line) => line.msg === msg);
  expect(logged('withdrawal requested')).toMatchObject({ correlation: request, withdrawal });
  const signed = logged('a withdrawal is signed');
  expect(signed).toMatchObject({ withdrawal, transaction: expect.stringMatching(/^\w{60,}$/) });
  expect(logged('a withdrawal is paid')).toMatchObject({
    withdrawal,
    transaction: signed?.transaction,
  });

  const stream = playerStream(player.wallet.address);
  const events = await readStream(bank.site.pool, { stream, fromVersion: 1, limit: 500 });
  const threads = events
    .filter(({ event }) => event.type.startsWith('Withdrawal'))
    .map(({ event, meta }) => [event.type, meta.correlation]);
  expect(threads).toEqual([
    ['WithdrawalRequested', request],
    ['WithdrawalApproved', withdrawal],
    ['WithdrawalSigned', withdrawal],
    ['WithdrawalFinalized', withdrawal],
  ]);
  const landed = await bank.chain.chain.transaction(String(signed?.transaction), 'finalized');
  expect(landed?.memos).toEqual([withdrawal]);
});
