import { startExecutor } from '@reelbook/event-store/execute';
import { type Evidence, verifyEvidence } from '@reelbook/games/proofs/evidence';
import { games } from '@reelbook/games/rules';
import { assert } from '@reelbook/ledger/assert';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import type { TestOperator } from '@reelbook/simulator/stages/admin-site';
import { BSM } from '@reelbook/simulator/stages/paying-site';
import { type PaymentReview, startPaymentReview } from '@reelbook/simulator/stages/payment-review';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AdminData } from './answers.ts';

let bank: PaymentReview;
beforeAll(async () => {
  bank = await startPaymentReview();
});
afterAll(() => bank.close());

const reason = 'papers are in order';

test('two operators approve a large withdrawal, one denies another, and two assign an unmatched deposit', async () => {
  const by = bank.admin.by.operator;
  const second = await bank.admin.add('operator');
  const stop = await by.call('/admin/switches', {
    method: 'PUT',
    body: { switch: 'withdrawals', on: false, reason },
  });
  expect(stop.status).toBe(200);
  const player = await bank.player(5_000n * BSM);
  await bank.credit(player, 4_000n * BSM);
  const ask = async (amount: number) => {
    const id = await bank.withdraw(player, amount);
    await bank.reaches(id, 'requested');
    return id;
  };
  const large = await ask(2_000);
  const path = `/admin/withdrawals/${large}`;
  const { data: seen } = await by.call<AdminData<'withdrawal'>>(path);
  expect(seen.risks.find(({ code }) => code === 'large')).toEqual({
    code: 'large',
    facts: { most: { asset: 'token', minor: (1_000n * BSM).toString() } },
    text: 'more than 1000 BSM: two operators must approve',
    weight: 1,
  });
  // Its events are read from the explorer, which may lag behind the withdrawals projection.
  await bank.until(async () => {
    const { data } = await by.call<AdminData<'withdrawal'>>(path);
    expect(data.events.map(({ type, facts }) => [type, facts.to])).toEqual([
      ['WithdrawalRequested', { name: player.wallet.address }],
    ]);
  });
  const approve = (operator: typeof by) =>
    operator.call<{ error?: string }>(`${path}/approve`, { body: { reason } });
  expect((await approve(by)).status).toBe(200);
  const again = await approve(by);
  expect([again.status, again.message]).toEqual([
    409,
    'you have approved this withdrawal already; another operator must approve it too',
  ]);
  expect((await approve(second)).status).toBe(200);
  const denied = await ask(1_500);
  const listed = async (which: string) =>
    (await by.call<AdminData<'withdrawals'>>(`/admin/withdrawals${which}`)).data.withdrawals.map(
      ({ withdrawal }) => withdrawal,
    );
  expect(await listed('')).toEqual([large, denied]);
  expect(await listed('?status=all')).toEqual([denied, large]);
  const holdOf = async (id: string) =>
    (await by.call<AdminData<'withdrawal'>>(`/admin/withdrawals/${id}`)).data.hold;
  const text = 'withdrawals are paused by the operators';
  const paused = { code: 'paused', facts: {}, text };
  await bank.until(async () => expect(await holdOf(denied)).toEqual(paused));
  // The other one is approved and on hold; each is counted once.
  expect((await bank.solvency()).queues).toMatchObject({ requested: 1, onHold: 1 });
  const { risks } = (await by.call<AdminData<'withdrawal'>>(`/admin/withdrawals/${denied}`)).data;
  expect(risks.find(({ code }) => code === 'on-hold')).toEqual({
    code: 'on-hold',
    facts: { why: { hold: paused } },
    weight: 1,
    text,
  });
  const deny = `/admin/withdrawals/${denied}/deny`;
  expect((await second.call(deny, { body: { reason } })).status).toBe(200);
  await bank.reaches(denied, 'released');
  const rows = (await by.call<AdminData<'withdrawals'>>('/admin/withdrawals?status=all')).data;
  expect(rows.withdrawals.map((one) => one.denied)).toEqual([true, false]);
  // Ended withdrawals are not counted as waiting.
  expect(await holdOf(denied)).toBeNull();
  expect((await bank.solvency()).queues.onHold).toBe(1);
  // Approved by both, but waiting: withdrawals are switched off.
  expect(await bank.statusOf(large)).toBe('approved');
  const early = await by.call<{ error: string }>(`${path}/expired`, {
    body: { block_height: 1, reason },
  });
  expect(early.data.error).toBe('withdrawal-not-signed');
  const go = await by.call<{ proposal: number }>('/admin/switches', {
    method: 'PUT',
    body: { switch: 'withdrawals', on: true, reason },
  });
  expect(await bank.statusOf(large)).toBe('approved');
  const confirmed = await second.call(`/admin/proposals/${go.data.proposal}/approve`, {
    body: { reason },
  });
  expect(confirmed.status).toBe(200);
  await bank.reaches(large, 'finalized');

  const stranger = createWallet();
  await bank.chain.fund(3n * BSM, stranger);
  const signature = await bank.chain.deposit(stranger, 3n * BSM);
  await bank.until(async () => {
    const { data } = await by.call<AdminData<'deposits'>>('/admin/deposits?state=unmatched');
    expect(data.deposits.map((one) => one.signature)).toEqual([signature]);
  });
  const resolve = (operator: TestOperator, to: string, why = reason) =>
    operator.call<{ error?: string; proposal: number }>(
      `/admin/unmatched-deposits/${signature}/resolve`,
      { body: { to, reason: why } },
    );
  const proposals = async () =>
    (await by.call<AdminData<'deposits'>>('/admin/deposits?state=unmatched')).data.deposits.map(
      ({ proposals }) => proposals,
    );
  const agree = (operator: TestOperator, number: number) =>
    operator.call<{ status?: string; error?: string }>(`/admin/proposals/${number}/approve`, {
      body: { reason },
    });
  // Two operators propose different players: the first that another one approves counts.
  const other = await bank.player(BSM);
  const gift = (await resolve(by, `player:${other.wallet.address}`, 'a gift')).data.proposal;
  const { data: own } = await resolve(second, `player:${player.wallet.address}`, 'of a friend');
  expect(await proposals()).toEqual([[gift, own.proposal]]);
  expect((await agree(second, own.proposal)).data.error).toBe('proposal-own');
  expect((await agree(by, own.proposal)).data.status).toBe('executed');
  expect((await agree(second, gift)).data.error).toBe('decided-otherwise');
  expect((await resolve(by, 'house')).data.error).toBe('decided-otherwise');
  const left = (4_000n - 2_000n + 3n) * BSM;
  await bank.until(async () => expect(await bank.balanceMinor(player)).toBe(left));
  await bank.expectIntact();
  const wallets = [by, second].map(({ wallet }) => `operator:${wallet.address}`);
  // The explorer and the evidence.
  await bank.until(async () => {
    const found = await by.call<AdminData<'explorer'>>(
      `/admin/explorer?types=WithdrawalApproved&withdrawal=${large}`,
    );
    expect(found.data.entries.toReversed()).toMatchObject(
      wallets.map((name) => ({ facts: { by: { name } } })),
    );
  });
  const { data: evidence } = await by.call<Evidence>(`/admin/evidence?of=withdrawal&id=${large}`);
  expect(verifyEvidence(evidence, null)).toMatchObject({ faults: [] });
  expect(evidence.decisions.filter(({ type }) => type === 'WithdrawalApproved')).toMatchObject(
    wallets.map((who) => ({ by: who, reason })),
  );
});

/** Amounts in BSM. */
async function configure(automatic: bigint, day: bigint) {
  const executor = startExecutor({ pool: bank.site.pool });
  const { kind } = await executor.execute({
    decider: configDecider,
    stream: CONFIG_STREAM,
    idempotencyKey: `test:limits:${automatic}`,
    request: null,
    meta: { correlation: 'test', actor: 'system:config-command' },
    async prepare({ config }) {
      assert(config, 'the ledger is configured');
      const limits = {
        automaticMaxTokenMinor: automatic * BSM,
        playerDayMaxTokenMinor: day * BSM,
      };
      const command = {
        ...({ type: 'ChangeConfig', by: 'system:config-command', reason: 'test' } as const),
        config: { ...config, withdraw: { ...config.withdraw, ...limits } },
        knownRules: Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds])),
        adminsEver: 0,
      };
      return { command, configVersion: null };
    },
  });
  await executor.close();
  expect(kind).toBe('done');
}

test('a decided withdrawal keeps the flags, the threshold and the approvals of its decision', async () => {
  const [first, second] = [bank.admin.by.operator, await bank.admin.add('operator')];
  const read = async (id: string) => {
    await untilCaughtUp(bank.site.pool);
    const { data } = await first.call<AdminData<'withdrawal'>>(`/admin/withdrawals/${id}`);
    const list = await first.call<AdminData<'withdrawals'>>('/admin/withdrawals?status=all');
    const listed = list.data.withdrawals.find(({ withdrawal }) => withdrawal === id);
    expect(listed?.risks).toEqual(data.risks);
    const { approved_by, approvals_needed: needed, risks } = data;
    expect(listed?.approvals_needed).toBe(needed);
    return { approved: approved_by.length, needed, risks: risks.map(({ text }) => text) };
  };
  await configure(1n, 10n);
  const player = await bank.player(100n * BSM);
  await bank.credit(player, 50n * BSM);
  const [paid, denied] = [await bank.withdraw(player, 12), await bank.withdraw(player, 5)];
  for (const id of [paid, denied]) await bank.reaches(id, 'requested');
  const decide = async (id: string, act: 'approve' | 'deny', by: TestOperator) => {
    const { status } = await by.call(`/admin/withdrawals/${id}/${act}`, { body: { reason } });
    expect(status).toBe(200);
  };
  await decide(denied, 'deny', first);
  await bank.reaches(denied, 'released');
  await decide(paid, 'approve', first);
  await decide(paid, 'approve', second);
  await bank.reaches(paid, 'finalized');
  const flags = ['the player has placed no bet', 'registered less than 24 hours before'];
  const expected = {
    [paid]: {
      approved: 2,
      needed: 2,
      risks: [
        ...flags,
        '12 BSM requested within 24 hours',
        'more than 1 BSM: two operators must approve',
        'first withdrawal of this player',
      ],
    },
    [denied]: {
      approved: 0,
      needed: 2,
      risks: [
        ...flags,
        '17 BSM requested within 24 hours',
        'more than 1 BSM: two operators must approve',
        'first withdrawal of this player',
      ],
    },
  };
  const seen = async () => ({ [paid]: await read(paid), [denied]: await read(denied) });
  expect(await seen()).toEqual(expected);

  // Other limits, a round, and the end of an earlier withdrawal do not change what was decided.
  await configure(1_000n, 10_000n);
  const exchange = { from_type: 'token', to_type: 'points', amount: 1 };
  expect((await player.call('/transaction/exchange', { body: exchange })).status).toBe(200);
  const bet = await player.call('/game/slot-machine/bet', { body: { bet_amount: 1 } });
  expect(bet.status).toBe(200);
  const small = await bank.withdraw(player, 3);
  await bank.reaches(small, 'finalized');
  expect(await seen()).toEqual(expected);
  expect(await read(small)).toEqual({
    approved: 1,
    needed: 1,
    risks: ['registered less than 24 hours before'],
  });
});

test('decisions on unknown withdrawals and deposits are refused', async () => {
  const by = bank.admin.by.operator;
  const body = { reason };
  const none = await by.call('/admin/withdrawals/unknown-w1/approve', { body });
  expect([none.status, none.message]).toEqual([404, 'there is no such open withdrawal']);
  const signature = '1'.repeat(64);
  const lost = await by.call(`/admin/unmatched-deposits/${signature}/resolve`, {
    body: { to: 'house', reason },
  });
  expect([lost.status, lost.message]).toEqual([404, 'there is no such unmatched deposit']);
});
