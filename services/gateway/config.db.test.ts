import { startExecutor } from '@reelbook/event-store/execute';
import { games } from '@reelbook/games/rules';
import { defaultConfig } from '@reelbook/ledger/config/config';
import type { ChangeConfig } from '@reelbook/ledger/config/decide';
import { configDecider } from '@reelbook/ledger/config/decide';
import { CONFIG_STREAM } from '@reelbook/ledger/streams';
import { assertLedgerKind } from '@reelbook/payments/ledger-kind';
import { startSite } from '@reelbook/simulator/stages/site';
import { createDatabase, type TestDatabase } from '@reelbook/testing/database';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { seedConfig } from './config.ts';

describe('the first configuration', () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createDatabase();
  });
  afterEach(() => database.drop());

  test('is written once by concurrent gateways', async () => {
    const executors = Array.from({ length: 6 }, () =>
      startExecutor({ pool: database.pool('app', 2) }),
    );
    await Promise.all(
      executors.map((executor) => seedConfig(executor, { localChain: true, games })),
    );
    const { rows } = await database.pool('app').query('select version from streams');
    expect(rows).toEqual([{ version: 1 }]);
    const [executor] = executors;
    const current = await executor?.currentState(configDecider, CONFIG_STREAM);
    expect(current?.state.config?.welcomePointsMinor).toBe(100_000n);
    for (const one of executors) await one.close();
  });

  test('gives no welcome points with a real chain, and is never served as play money', async () => {
    const executor = startExecutor({ pool: database.pool('app', 2) });
    await seedConfig(executor, { localChain: false, games });
    const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
    expect(state.config?.welcomePointsMinor).toBe(0n);
    await expect(assertLedgerKind(database.pool('app'), 'play')).rejects.toThrow('is real money');
    await assertLedgerKind(database.pool('app'), 'real');
    await executor.close();
  });

  test('of a local chain is refused by a start with a real one', async () => {
    const executor = startExecutor({ pool: database.pool('app', 2) });
    await seedConfig(executor, { localChain: true, games });
    await expect(assertLedgerKind(database.pool('app'), 'real')).rejects.toThrow('play money');
    await executor.execute({
      decider: configDecider,
      stream: CONFIG_STREAM,
      idempotencyKey: 'test:no-welcome',
      request: null,
      meta: { correlation: 'test', actor: 'system:config-command' },
      async prepare({ config }) {
        const knownRules = Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds]));
        const none = { ...(config ?? defaultConfig), welcomePointsMinor: 0n };
        const command = {
          type: 'ChangeConfig' as const,
          config: none,
          reason: 'test',
          knownRules,
          by: 'system:config-command',
          adminsEver: 0,
        };
        return { command, configVersion: null };
      },
    });
    // Players already have free points: setting the welcome points to 0 does not change the kind.
    await expect(assertLedgerKind(database.pool('app'), 'real')).rejects.toThrow('play money');
    await executor.close();
  });
});

test('a gateway that missed a change has its bet refused, reloads and continues', async () => {
  const site = await startSite();
  const player = await site.login();
  const bet = () => player.call('/game/slot-machine/bet', { body: { bet_amount: 10 } });
  expect((await bet()).status).toBe(200);
  // From now on the bus delivers nothing.
  site.bus.publish = async () => {};
  const executor = startExecutor({ pool: site.pool });
  const { state } = await executor.currentState(configDecider, CONFIG_STREAM);
  const change = async (name: string, enabled: boolean) => {
    const slot = state.config?.games['slot-machine'];
    if (!state.config || !slot) throw new Error('the configuration is seeded');
    const minStakeMinor = 500n;
    const command: ChangeConfig = {
      type: 'ChangeConfig',
      config: {
        ...state.config,
        games: {
          ...state.config.games,
          'slot-machine': { ...slot, enabled, minStakeMinor, rules: 'slot-2' },
        },
      },
      reason: 'a test',
      by: 'system:config-command',
      adminsEver: 0,
      knownRules: Object.fromEntries(games.map(({ id, rulesIds }) => [id, rulesIds])),
    };
    const executed = await executor.execute({
      decider: configDecider,
      stream: CONFIG_STREAM,
      idempotencyKey: `test:${name}`,
      request: null,
      meta: { correlation: name, actor: 'system:config-command' },
      prepare: async () => ({ command, configVersion: null }),
    });
    expect(executed.kind).toBe('done');
  };
  await change('other rules', true);
  expect(await bet()).toMatchObject({ status: 200, data: { rules: 'slot-2' } });
  await change('switched off', false);
  expect(await bet()).toMatchObject({ status: 422, data: { error: 'game-switched-off' } });
  const configs = await site.call<{ slot_machine: { enabled: boolean; min_bet: number } }>(
    '/game/configs',
  );
  expect(configs.data.slot_machine).toMatchObject({ enabled: false, min_bet: 5 });
  await executor.close();
  await site.close();
});
