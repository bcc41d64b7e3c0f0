import { type AdminSite, startAdminSite } from '@reelbook/simulator/stages/admin-site';
import {
  openSocket,
  startSite,
  type TestPlayer,
  type TestSite,
} from '@reelbook/simulator/stages/site';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let site: TestSite;
let admin: AdminSite;
beforeAll(async () => {
  site = await startSite();
  admin = await startAdminSite(site);
});
afterAll(async () => {
  await admin.close();
  await site.close();
});

const reason = 'as agreed by phone';
const bet = (player: TestPlayer) =>
  player.call<{ error?: string }>('/game/slot-machine/bet', { body: { bet_amount: 1 } });

describe('the configuration', () => {
  interface Shown {
    readonly version: number;
    readonly values: readonly { readonly path: string; readonly text: string }[];
  }
  const shown = async () => (await admin.by.viewer.call<Shown>('/admin/configuration')).data;
  const change = (version: number, value: string, path = 'games.slot-machine.rules') =>
    admin.by.admin.call<{ error?: string; proposal: number }>('/admin/configuration', {
      method: 'PUT',
      body: { version, changes: [{ path, value }], reason },
    });

  test('is previewed with its effect and all faults, without a change', async () => {
    const before = await shown();
    const preview = async (changes: object[]) =>
      (
        await admin.by.viewer.call<{ faults: { code: string }[]; effect: object }>(
          '/admin/configuration/preview',
          { body: { changes } },
        )
      ).data;
    const tighter = await preview([{ path: 'games.slot-machine.rules', value: 'slot-2' }]);
    expect(tighter).toMatchObject({
      faults: [],
      changes: [{ path: 'games.slot-machine.rules', before: 'slot-1', after: 'slot-2' }],
      effect: { games: [{ game: 'slot-machine', before: { return_percent: 96 } }] },
      care: 'wait',
    });
    expect(await preview([{ path: 'play.enabled', value: 'false' }])).toMatchObject({
      care: 'one',
    });
    const { faults } = await preview([
      { path: 'games.slot-machine.minStakeMinor', value: '150' },
      { path: 'exchange.tokenToPoints', value: '101' },
      { path: 'withdraw.feeRate', value: '2' },
    ]);
    expect(faults.map(({ code }) => code)).toEqual([
      'bet-limits-not-integer',
      'rates-gain',
      'withdrawal-fee-invalid',
    ]);
    expect(
      await preview([
        { path: 'nowhere', value: '1' },
        { path: 'bigWinMultiple', value: 'x' },
      ]),
    ).toMatchObject({
      faults: [
        { code: 'setting-unknown', text: expect.stringContaining('there is no nowhere') },
        { code: 'setting-value-invalid', facts: { path: 'bigWinMultiple', value: 'x' } },
      ],
      effect: null,
    });
    expect(await shown()).toEqual(before);
  });

  test('is changed with a reason, notifies players, and has a history', async () => {
    const player = await site.login();
    const socket = await openSocket(site.url, player.token);
    await socket.receive('subscribed');
    const { data } = await change((await shown()).version, 'slot-2');
    await admin.approve(data.proposal);
    const { version } = await shown();
    await socket.receive('config_updated', (message) => message.config_version === version);
    socket.close();
    expect((await bet(player)).data).toMatchObject({ rules: 'slot-2' });
    const history = await admin.by.viewer.call<{ entries: object[] }>(
      '/admin/configuration/history?limit=1',
    );
    expect(history.data.entries).toMatchObject([
      {
        version,
        actor: 'system:approvals',
        proposed_by: `operator:${admin.by.admin.wallet.address}`,
        reason,
        changes: [{ path: 'games.slot-machine.rules', before: 'slot-1', after: 'slot-2' }],
      },
    ]);
    // A change of an old version is refused; of two concurrent changes one succeeds.
    expect((await change(version - 1, 'slot-1')).data.error).toBe('config-moved');
    const both = await Promise.all(['slot-1', 'slot-1'].map((rules) => change(version, rules)));
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  test('each switch stops its part immediately, and resumes it', async () => {
    const player = await site.login();
    const set = async (name: string, isOn: boolean) => {
      const answer = await admin.by.operator.call<{ proposal: number }>('/admin/switches', {
        method: 'PUT',
        body: { switch: name, on: isOn, reason },
      });
      if (isOn) await admin.approve(answer.data.proposal);
      return answer;
    };
    const exchange = () =>
      player.call<{ error?: string }>('/transaction/exchange', {
        body: { from_type: 'token', to_type: 'points', amount: 1 },
      });
    for (const name of ['all', 'game:slot-machine']) {
      expect((await set(name, false)).status).toBe(200);
      expect((await bet(player)).data.error).toBe('game-switched-off');
      if (name === 'all') expect((await exchange()).data.error).toBe('exchange-switched-off');
      expect((await set(name, true)).status).toBe(200);
      // A gateway learns of the resumption from its bus; until then it refuses.
      await expect.poll(async () => (await bet(player)).status).toBe(200);
    }
    expect((await set('withdrawals', false)).status).toBe(200);
    const switches = await admin.by.viewer.call<object[]>('/admin/switches');
    expect(switches.data).toContainEqual({
      switch: 'withdrawals',
      on: false,
      title: expect.any(String),
    });
    expect((await set('withdrawals', false)).status).toBe(422);
    for (const name of ['nothing', 'game:poker', '__proto__'])
      expect((await set(name, false)).status).toBe(404);
  });
});
