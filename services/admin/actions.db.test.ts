import { auditLedger } from '@reelbook/audit/audit';
import type { Protection } from '@reelbook/contract/player/protection';
import { readEvent } from '@reelbook/event-store/read-log';
import { HOUR_MS } from '@reelbook/ledger/calendar';
import { play, start } from '@reelbook/simulator/client/timed-play';
import { workOut } from '@reelbook/simulator/client/work-out';
import {
  type AdminSite,
  startAdminSite,
  type TestOperator,
} from '@reelbook/simulator/stages/admin-site';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
} from '@reelbook/simulator/stages/site';
import { atNoon, notOfFakeClock } from '@reelbook/testing/fake-clock';
import { observeTreasury } from '@reelbook/testing/treasury';
import { WAIT } from '@reelbook/testing/wait';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

let site: TestSite;
let admin: AdminSite;
let ann: TestOperator;
let bob: TestOperator;
beforeAll(async () => {
  // A timed round stays open during the test.
  site = await startSite({ gameTickMs: HOUR_MS, prepare: atNoon });
  admin = await startAdminSite(site);
  ann = admin.by.operator;
  bob = await admin.add('operator');
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const reason = 'as agreed by phone';
interface Done {
  readonly position: number;
  readonly proposal: number | null;
}
const on = (player: TestPlayer, act: string) => `/admin/players/${player.wallet.address}/${act}`;
const adjust = (by: TestOperator, player: TestPlayer, minor: string, key?: string) =>
  by.call<Done>(on(player, 'adjustments'), {
    body: { amount: { asset: 'points', minor }, reason },
    ...(key === undefined ? {} : { key }),
  });
const points = async (player: TestPlayer) =>
  (await player.call<{ points_balance: number }>('/user/balance')).data.points_balance;
const bet = (player: TestPlayer) =>
  player.call<{ error?: string }>('/game/slot-machine/bet', { body: { bet_amount: 1 } });

describe('an adjustment', () => {
  test('within the limit takes effect immediately, notifies the player and is recorded with its operator', async () => {
    const player = await site.login();
    const socket = await openSocket(site.url, player.token);
    await socket.receive('subscribed');
    const { status, data, position } = await adjust(ann, player, '12345');
    expect({ status, proposal: data.proposal }).toEqual({ status: 200, proposal: null });
    expect(await points(player)).toBe(1_123.45);
    expect(await socket.receive('balance_updated')).toMatchObject({ points_balance: 1_123.45 });
    expect(await socket.receive('notification')).toMatchObject({
      title: 'Balance adjusted',
      content: expect.stringContaining(reason),
    });
    socket.close();
    const event = await readEvent(site.pool, Number(position));
    expect(event?.meta.actor).toBe(`operator:${ann.wallet.address}`);
    expect(event?.event.data).toMatchObject({
      before: { pointsMinor: 100_000n },
      after: { pointsMinor: 112_345n },
      reason,
    });
  });

  test('repeated with the same key is done once; a different one with that key is refused', async () => {
    const player = await site.login();
    const [first, again] = [
      await adjust(ann, player, '100', 'k1'),
      await adjust(ann, player, '100', 'k1'),
    ];
    expect(again).toEqual(first);
    expect(await points(player)).toBe(1_001);
    expect((await adjust(ann, player, '200', 'k1')).status).toBe(422);
  });

  test('above the limit waits for another operator, and of many concurrent approvals one counts', async () => {
    const player = await site.login();
    const { data } = await adjust(ann, player, '5000000');
    expect(await points(player)).toBe(1_000);
    const path = `/admin/proposals/${data.proposal}/approve`;
    const own = await ann.call<{ error: string }>(path, { body: { reason } });
    expect([own.status, own.data.error]).toEqual([409, 'proposal-own']);
    const answers = await Promise.all(
      [bob, bob, admin.by.admin, bob].map((by) => by.call(path, { body: { reason } })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await points(player)).toBe(51_000);
  });

  test('is listed while it is pending', async () => {
    const player = await site.login();
    const { data } = await adjust(ann, player, '9000000');
    const list = async () =>
      (await admin.by.viewer.call<{ number: number }[]>('/admin/proposals')).data.map(
        ({ number }) => number,
      );
    expect(await list()).toContain(data.proposal);
    const path = `/admin/proposals/${data.proposal}/withdraw`;
    expect((await bob.call(path, { body: { reason } })).status).toBe(200);
    expect(await list()).not.toContain(data.proposal);
  });

  test('alone is limited per day across all players, also concurrently', async () => {
    const carl = await admin.add('operator');
    const players = await Promise.all(Array.from({ length: 12 }, () => site.login()));
    // One operator may adjust 1000 points each and 10000 per day, so 2 of 12 are refused.
    const keys = players.map(() => crypto.randomUUID());
    const answers = await Promise.all(
      players.map((player, n) => adjust(carl, player, '100000', keys[n])),
    );
    const done = answers.filter(({ status }) => status === 200);
    expect(done).toHaveLength(10);
    const refused = answers.find(({ status }) => status !== 200);
    expect([refused?.status, refused?.message]).toEqual([
      409,
      'you can adjust at most 10000 points per day across all players, and you have adjusted 10000 points today; ask another operator, or try again tomorrow (UTC)',
    ]);
    // A repeated call returns the first response and counts once; another one is refused, also a negative one.
    const n = answers.findIndex(({ status }) => status === 200);
    const first = players[n] as TestPlayer;
    const again = await adjust(carl, first, '100000', keys[n]);
    expect([again.status, again.position]).toEqual([200, answers[n]?.position]);
    expect(await points(first)).toBe(2_000);
    const other = players[answers.findIndex(({ status }) => status !== 200)] as TestPlayer;
    expect((await adjust(carl, other, '-1')).status).toBe(409);
    // An adjustment by two operators does not count, and each operator has a separate allowance.
    expect((await adjust(carl, first, '9000000')).data.proposal).not.toBeNull();
    expect((await adjust(bob, other, '-1')).data.proposal).toBeNull();
    const poor = await site.login();
    expect((await adjust(bob, poor, '-100001')).status).toBe(422);
  });

  test('of BSM is refused if the treasury does not cover it', async () => {
    const player = await site.login();
    const give = (minor: string) =>
      ann.call<{ error: string; proposal: number }>(on(player, 'adjustments'), {
        body: { amount: { asset: 'token', minor }, reason },
      });
    expect((await give('1000')).data.error).toBe('over-cover');
    await observeTreasury(site.pool, 1_000n);
    expect((await give('1000')).status).toBe(200);
    expect((await give('1')).data.error).toBe('over-cover');
    expect((await give('-1000')).status).toBe(200);
    // Above the limit of one operator: neither proposed nor approved.
    const large = '1000000000000000';
    expect((await give(large)).data.error).toBe('over-cover');
    await observeTreasury(site.pool, BigInt(large));
    const { proposal } = (await give(large)).data;
    await observeTreasury(site.pool, 0n);
    const approve = () =>
      bob.call<{ error: string }>(`/admin/proposals/${proposal}/approve`, { body: { reason } });
    expect((await approve()).data.error).toBe('over-cover');
    await observeTreasury(site.pool, BigInt(large));
    expect((await approve()).data).toMatchObject({ status: 'executed', refusal: null });
  });

  test.each([
    [
      'unknown',
      createWallet().address,
      { amount: { asset: 'points', minor: '1' }, reason },
      404,
      'there is no such player',
    ],
    [
      'no wallet',
      'unknown',
      { amount: { asset: 'points', minor: '1' }, reason },
      400,
      'wallet has invalid characters or an invalid length',
    ],
    [
      'a sum with a point',
      null,
      { amount: { asset: 'points', minor: '1.5' }, reason },
      400,
      'amount.minor has invalid characters or an invalid length',
    ],
    [
      'no sum',
      null,
      { amount: { asset: 'points', minor: '0' }, reason },
      400,
      'an adjustment must not be 0, and at most 10^18 minor units in either direction',
    ],
    [
      'another asset',
      null,
      { amount: { asset: 'gold', minor: '1' }, reason },
      400,
      'amount.asset must be one of points, token',
    ],
    [
      'more than there is',
      null,
      { amount: { asset: 'points', minor: '-100001' }, reason },
      422,
      'this would make the balance negative: the player has 1000 points',
    ],
    ['no reason', null, { amount: { asset: 'points', minor: '1' } }, 400, 'reason is missing'],
    [
      'an empty reason',
      null,
      { amount: { asset: 'points', minor: '1' }, reason: '  ' },
      400,
      'a reason of 1 to 500 characters is needed',
    ],
    [
      'a poisoned reason',
      null,
      { amount: { asset: 'points', minor: '1' }, reason: 'a\u0000' },
      400,
      'a reason of 1 to 500 characters is needed',
    ],
  ])('for %s is refused and changes nothing', async (_what, wallet, body, status, message) => {
    const player = await site.login();
    const answer = await ann.call(`/admin/players/${wallet ?? player.wallet.address}/adjustments`, {
      body,
    });
    expect([answer.status, answer.message]).toEqual([status, message]);
    expect(await points(player)).toBe(1_000);
  });
});

describe('a player', () => {
  test('cannot bet while suspended, can log in, and is reinstated', async () => {
    const player = await site.login();
    expect((await bet(player)).status).toBe(200);
    expect((await ann.call(on(player, 'suspend'), { body: { reason } })).status).toBe(200);
    const refused = await bet(player);
    expect([refused.status, refused.data.error]).toEqual([403, 'player-suspended']);
    expect((await site.login(player.wallet)).token).toBeTruthy();
    expect((await ann.call(on(player, 'suspend'), { body: { reason } })).status).toBe(409);
    const { data } = await bob.call<Done>(on(player, 'reinstate'), { body: { reason } });
    expect((await bet(player)).status).toBe(403);
    const approve = `/admin/proposals/${data.proposal}/approve`;
    expect((await ann.call(approve, { body: { reason } })).status).toBe(200);
    expect((await bet(player)).status).toBe(200);
  });

  test('does not see the notes of operators; operators do', async () => {
    const player = await site.login();
    const note = 'sent papers on Tuesday';
    const { position } = await ann.call(on(player, 'notes'), { body: { note } });
    const notes = () => admin.by.viewer.call<{ note: string }[]>(on(player, 'notes'));
    await expect.poll(async () => (await notes()).data.map((one) => one.note)).toEqual([note]);
    expect((await player.call(`/fairness/events/${position}`)).status).toBe(404);
  });

  test('gets lower limits, not higher ones, and is excluded', async () => {
    const player = await site.login();
    const limit = (minor: string) =>
      ann.call<{ error?: string }>(on(player, 'limits'), {
        method: 'PUT',
        body: { kind: 'wager', period: 'day', minor, reason },
      });
    expect((await limit('100')).status).toBe(200);
    expect((await limit('100')).data.error).toBe('nothing-to-change');
    expect((await limit('101')).data.error).toBe('limit-not-tighter');
    expect((await bet(player)).status).toBe(200);
    expect((await bet(player)).data.error).toBe('wager-limit-reached');
    expect((await ann.call(on(player, 'exclusion'), { body: { term: '7d', reason } })).status).toBe(
      200,
    );
    expect((await bet(player)).data.error).toBe('self-excluded');
  });

  test('gets the stake of a voided round back, and its outcome is not paid', async () => {
    const player = await site.login();
    const limit = { limit: 'loss', period: 'day', amount: 15 };
    await player.call('/user/protection/limits', { method: 'PUT', body: limit });
    const { data: begun } = await start(player, 'snake');
    expect(await points(player)).toBe(990);
    const path = on(player, `rounds/${begun.round_id}/void`);
    expect((await ann.call(path, { body: {} })).status).toBe(400);
    expect((await ann.call(path, { body: { reason } })).status).toBe(200);
    expect((await bob.call(path, { body: { reason } })).status).toBe(409);
    expect(await points(player)).toBe(1_000);
    const { data } = await player.call<Protection>('/user/protection');
    expect(data.limits).toMatchObject([{ used: 0, left: 15 }]);
    const { figures } = workOut(begun);
    const answer = await play(player, 'snake', figures);
    expect(answer).toMatchObject({ status: 409, data: { error: 'round-voided' } });
    await vi.waitFor(async () => {
      const { data: history } = await player.call<{ items: object[] }>('/game/snake/history');
      expect(history.items).toMatchObject([{ status: 'voided', amount: 0 }]);
    }, WAIT);
    const { data: stats } = await player.call('/game/snake/stats');
    expect(stats).toMatchObject({ total_games: 0, total_bet: 0, total_win: 0 });
    // Its nonce stays used.
    expect((await start(player, 'snake')).data.nonce).toBe(begun.nonce + 1);
  });
});

test('the audit passes after all actions', async () => {
  const { findings } = await auditLedger({ pool: site.pool, vault: null, onProgress: () => {} });
  expect(findings.kept.filter(notOfFakeClock)).toEqual([]);
});
