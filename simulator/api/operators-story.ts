import { calls } from '@reelbook/contract/admin/calls';
import type { Job } from '@reelbook/contract/admin/jobs';
import { adminRoutes } from '@reelbook/contract/admin/routes';
import type { Example } from '@reelbook/contract/example';
import { ADMIN_BASE } from '@reelbook/contract/paths';
import { untilCaughtUp } from '@reelbook/testing/caught-up';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { expect, vi } from 'vitest';
import { start } from '../client/timed-play.ts';
import { BSM } from '../stages/paying-site.ts';
import type { PaymentReview } from '../stages/payment-review.ts';
import type { TestPlayer } from '../stages/site.ts';
import { openRecorder, type Recorder } from './recorder.ts';

type Caller = ReturnType<Recorder<typeof adminRoutes>['as']>;

/** The operators of the story, each as the caller that it is, and the player that they act on. */
interface Cast {
  readonly bank: PaymentReview;
  readonly viewer: Caller;
  readonly auditor: Caller;
  readonly operator: Caller;
  readonly second: Caller;
  readonly admin: Caller;
  readonly player: TestPlayer;
}

const body = { reason: 'ticket 1042' };
/** Beyond any block of the story. */
const LATER_HEIGHT = 10 ** 9;

/** Plays operators through every call of the admin API. */
export async function playTheAdminApi(
  bank: PaymentReview,
): Promise<Readonly<Record<string, Example>>> {
  const recorder = openRecorder({
    ...{ origin: bank.admin.url, base: ADMIN_BASE, routes: adminRoutes, calls },
  });
  const { by } = bank.admin;
  const player = await bank.player(5_000n * BSM);
  await bank.credit(player, 4_000n * BSM);
  const cast: Cast = {
    ...{ bank, player },
    viewer: recorder.as(by.viewer.token),
    auditor: recorder.as(by.auditor.token),
    operator: recorder.as(by.operator.token),
    second: recorder.as((await bank.admin.add('operator')).token),
    admin: recorder.as(by.admin.token),
  };
  await enter(recorder, bank);
  await decideWithdrawals(cast);
  await resolveDeposit(cast);
  await actOnPlayer(cast);
  await adjust(cast);
  await exploreLedger(cast);
  await travel(cast);
  await readHouse(cast);
  await configure(cast);
  await runWork(cast);
  await restrain(cast);
  await changeOperators(cast);
  return recorder.examples;
}

async function enter(recorder: Recorder<typeof adminRoutes>, bank: PaymentReview): Promise<void> {
  const stranger = recorder.as(null);
  const [link = ''] = bank.admin.links;
  await stranger('signInSentence');
  await stranger('signInByLink', { body: { link } });
  const { wallet } = await bank.admin.add('viewer');
  const { token } = await stranger('signIn', { body: wallet.signIn(Date.now()) });
  const viewer = recorder.as(token);
  await viewer('me');
  await viewer('signOut');
}

async function decideWithdrawals({ bank, viewer, operator, second, player }: Cast): Promise<void> {
  const ask = async (amount: number) => {
    const id = await bank.withdraw(player, amount);
    await bank.reaches(id, 'requested');
    return { params: { withdrawal: id } };
  };
  const large = await ask(2_000);
  const denied = await ask(1_500);
  await untilCaughtUp(bank.site.pool);
  await viewer('withdrawals', { query: { status: 'open' } });
  await viewer('withdrawal', large);
  await operator('denyWithdrawal', { ...denied, body });
  // Every send: the cashier sends an attempt again while it waits.
  bank.chain.local.faults.dropSends(1_000);
  await operator('approveWithdrawal', { ...large, body, idempotencyKey: 'approve-1' });
  await second('approveWithdrawal', { ...large, body });
  await bank.reaches(large.params.withdrawal, 'signed');
  const expired = { block_height: LATER_HEIGHT, ...body };
  await operator('markExpired', { ...large, body: expired });
  bank.chain.local.faults.clear();
}

async function resolveDeposit({ bank, viewer, operator, player }: Cast): Promise<void> {
  const stranger = createWallet();
  await bank.chain.fund(3n * BSM, stranger);
  const signature = await bank.chain.deposit(stranger, 3n * BSM);
  await bank.until(async () => {
    const { deposits } = await viewer('unmatched', { query: { limit: 50 } });
    expect(deposits.map((one) => one.signature)).toEqual([signature]);
  });
  const to = `player:${player.wallet.address}`;
  await operator('resolveUnmatched', { params: { signature }, body: { to, ...body } });
}

async function actOnPlayer({ bank, viewer, operator, player }: Cast): Promise<void> {
  const params = { wallet: player.wallet.address };
  await operator('notePlayer', { params, body: { note: 'Asked for a higher limit.' } });
  await viewer('playerNotes', { params });
  await operator('suspendPlayer', { params, body });
  await operator('reinstatePlayer', { params, body });
  await operator('limitPlayer', {
    ...{ params, body: { kind: 'loss', period: 'day', minor: '5000000', ...body } },
  });
  await untilCaughtUp(bank.site.pool);
  await viewer('players', { query: { q: params.wallet.slice(0, 8), limit: 50 } });
  await viewer('player', { params });
  await viewer('statement', { params, query: { asset: 'token', limit: 50 } });
}

/** Small amounts are given immediately, large ones wait for a second operator, and voids beyond an allowance too. */
async function adjust({ bank, viewer, operator, second, admin, player }: Cast): Promise<void> {
  const params = { wallet: player.wallet.address };
  const give = async (points: number) => {
    const amount = { asset: 'points', minor: `${points}00` } as const;
    const { adjustment } = await operator('adjustBalance', { params, body: { amount, ...body } });
    return { params: { ...params, adjustment } };
  };
  const refused = await give(50_000);
  const approved = await give(60_000);
  await untilCaughtUp(bank.site.pool);
  await viewer('adjustments');
  await second('approveAdjustment', { ...approved, body });
  await second('refuseAdjustment', { ...refused, body });
  const { version } = await viewer('configuration');
  const changes = [{ path: 'adjust.operatorDayMaxPointsMinor', value: '0' }];
  await admin('previewConfiguration', { body: { changes } });
  const change = { version, changes, ...body };
  await admin('changeConfiguration', { body: change, idempotencyKey: 'change-1' });
  const { round_id: round } = (await start(player, 'tetris')).data;
  await operator('voidRound', { params: { ...params, round }, body });
  await second('refuseVoid', { params: { ...params, round }, body });
}

async function exploreLedger({ bank, viewer, auditor, player }: Cast): Promise<void> {
  const bet = { body: { bet_amount: 10 } };
  const spin = await player.call<{ round_id: string; bet_position: number }>(
    ...(['/game/slot-machine/bet', bet] as const),
  );
  await untilCaughtUp(bank.site.pool);
  const filter = { wallet: player.wallet.address, types: 'BetPlaced', limit: 50 };
  await viewer('explorer', { query: filter });
  await viewer('countMatches', { query: { types: 'BetPlaced' } });
  await viewer('facets');
  await viewer('find', { query: { q: spin.data.round_id } });
  const at = { params: { position: String(spin.data.bet_position) } };
  await viewer('event', at);
  await viewer('eventProof', at);
  await viewer('eventGraph', at);
  await viewer('eventRound', at);
  await viewer('evidence', { query: { of: 'round', id: spin.data.round_id } });
  // The newest of these is the bet, whether the spin won or not.
  const before = spin.data.bet_position + 1;
  await viewer('accountMovements', {
    query: { account: 'house', asset: 'points', before, limit: 2 },
  });
  await auditor('chain', { query: { from: 1, limit: 500 } });
  await auditor('exportEvents', { query: { format: 'jsonl', types: 'BetPlaced' } });
}

async function travel({ viewer, player }: Cast): Promise<void> {
  const stream = `player-${player.wallet.address}`;
  await viewer('pointInTime', { query: { at: 10 } });
  await viewer('stateAt', { query: { stream } });
  await viewer('stateDiff', { query: { stream, from: 10 } });
  await viewer('balanceAt', { query: { account: 'house', asset: 'points', at: 10 } });
  await viewer('explainBalance', { query: { account: 'house', asset: 'points', at: 10 } });
  await viewer('trialBalance', { query: { at: 10 } });
  await viewer('trialDiff', { query: { from: 10 } });
  await viewer('accounts', { query: { limit: 50 } });
}

async function readHouse({ viewer }: Cast): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  const query = { from: today, to: today };
  await viewer('solvency');
  await viewer('revenue', { query });
  await viewer('returns', { query });
  await viewer('largeWins', { query: { ...query, min_minor: '1' } });
}

async function configure({ viewer, operator, second }: Cast): Promise<void> {
  const off = { switch: 'game:snake', on: false, ...body };
  await operator('setSwitch', { body: off, idempotencyKey: 'stop-1' });
  await viewer('switches');
  const { proposal } = await operator('setSwitch', { body: { ...off, on: true } });
  await viewer('proposals');
  const number = String(proposal);
  await second('confirmProposal', { params: { subject: 'configuration', number }, body });
  const again = await operator('setSwitch', { body: off });
  expect(again.proposal).toBeNull();
  const waiting = await operator('setSwitch', { body: { ...off, on: true } });
  const other = { subject: 'configuration', number: String(waiting.proposal) } as const;
  await operator('withdrawProposal', { params: other, body });
  await viewer('configurationHistory', { query: { limit: 20 } });
}

async function runWork({ bank, viewer, auditor, operator }: Cast): Promise<void> {
  const owner = bank.site.database.pool('owner', 1);
  await owner.query(
    `update checkpoints set status = 'stopped', error = 'an example' where name = 'seeds'`,
  );
  await viewer('engine');
  await operator('continueFollower', { params: { name: 'seeds' }, body });
  await untilCaughtUp(bank.site.pool);
  const ended = async ({ id }: { readonly id: number }) => {
    await vi.waitFor(async () => {
      const { data } = await bank.admin.by.viewer.call<Job>(`/admin/jobs/${id}`);
      expect(data.state).not.toBe('running');
    }, WAIT);
    await viewer('job', { params: { id: String(id) } });
  };
  await ended(await auditor('startAudit', { body: { mode: 'operator' } }));
  // The round of a game that only tests have.
  const [found] = await viewer('findings');
  await operator('acceptFinding', { params: { finding: found?.finding ?? '' }, body });
  await viewer('jobs', { query: { kind: 'audit', limit: 20 } });
}

async function restrain({ operator, player }: Cast): Promise<void> {
  const params = { wallet: player.wallet.address };
  await operator('excludePlayer', { params, body: { term: '24h', ...body } });
}

async function changeOperators({ bank, admin, viewer }: Cast): Promise<void> {
  await admin('operators');
  const own = { operator: bank.admin.by.viewer.wallet.address };
  await viewer('nameOperator', { params: own, body: { name: 'Ann Lee', ...body } });
  await viewer('operatorNames');
  const fresh = { operator: createWallet().address, role: 'viewer', ...body } as const;
  await admin('addOperator', { body: fresh, idempotencyKey: 'add-1' });
  const operator = (await bank.admin.add('operator')).wallet.address;
  await admin('changeRole', { params: { operator }, body: { role: 'viewer', ...body } });
  await admin('revokeOperator', { params: { operator }, body });
}
