import { execFile } from 'node:child_process';
import { startExecutor } from '@reelbook/event-store/execute';
import { readHead } from '@reelbook/event-store/read-log';
import { RUN } from '@reelbook/runtime/repository';
import { startSite, type TestPlayer, type TestSite } from '@reelbook/simulator/stages/site';
import { addOperator } from '@reelbook/testing/operators';
import { observeTreasury } from '@reelbook/testing/treasury';
import { createWallet } from '@reelbook/testing/wallets';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConfigEdit, changeConfig } from '../commands/config.ts';

let site: TestSite;
let player: TestPlayer;
beforeAll(async () => {
  site = await startSite();
  player = await site.login();
});
afterAll(() => site.close());

/** `npm run reelbook -- config ...` on the ledger of the test. */
function config(...words: string[]): Promise<{ code: number; output: string }> {
  const args = [RUN, 'services/cli/main.ts', 'config', ...words];
  const env = { ...process.env, DATABASE_URL: site.database.url };
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error, out, err) =>
      resolve({ code: error ? Number(error.code) : 0, output: out + err }),
    );
  });
}

const bet = () =>
  player.call<{ rules: string }>('/game/slot-machine/bet', { body: { bet_amount: 10 } });

test('a value is shown, changed with a reason, and applies to the next bet, with and without the bus', async () => {
  expect((await bet()).data.rules).toBe('slot-1');
  expect(await config('show', 'games.slot-machine.rules')).toEqual({
    code: 0,
    output: 'configuration 1\n  games.slot-machine.rules  slot-1\n',
  });
  // The gateway is not notified: the append refuses a decision under the old rules.
  site.bus.publish = async () => {};
  const set = await config('set', 'games.slot-machine.rules', 'slot-2', '--reason', 'tighter');
  expect(set.code).toBe(0);
  expect(set.output).toMatch(/before {2}slot-1\n {2}after {3}slot-2\nconfiguration 2, #\d+ in the/);
  expect(await bet()).toMatchObject({ status: 200, data: { rules: 'slot-2' } });
  expect((await config('show')).output).toMatch(/exchange\.pointsToToken +1\/100\n/);
});

test('a new rate and the switch apply to the next exchange without a message to the gateway', async () => {
  await observeTreasury(site.pool, 10n ** 15n);
  const executor = startExecutor({ pool: site.pool });
  const set = (path: string, value: string) =>
    changeConfig(
      { pool: site.pool, executor },
      { path, value, reason: 'a test', mayWelcome: true },
    );
  const body = { from_type: 'points', to_type: 'token', amount: 100 };
  const exchange = () => player.call('/transaction/exchange', { body });
  expect((await exchange()).data).toMatchObject({ tokens_received: 1, rate: 0.01 });
  expect(await set('exchange.pointsToToken', '1/200')).toMatchObject({ version: 3 });
  expect((await exchange()).data).toMatchObject({ tokens_received: 0.5, rate: 0.005 });
  expect(await set('exchange.enabled', 'false')).toMatchObject({ version: 4 });
  expect(await exchange()).toMatchObject({
    status: 422,
    data: { error: 'exchange-switched-off' },
  });
  expect(await set('exchange.enabled', 'true')).toMatchObject({ version: 5 });
  expect(await set('exchange.pointsToToken', '0.01')).toMatchObject({ version: 6 });
  await executor.close();
});

test('with two admins a shell proposes a higher bound and lowers one immediately', async () => {
  for (const { address } of [createWallet(), createWallet()]) {
    await addOperator(site.pool, address, 'admin');
  }
  const path = 'adjust.singleOperatorMaxTokenMinor';
  const set = (value: string) => config('set', path, value, '--reason', 'x');
  const raised = await set('900000000000000');
  expect(raised).toEqual({
    code: 0,
    output: expect.stringMatching(/PROPOSED as number \d+, #\d+ in the ledger/),
  });
  expect((await config('show', path)).output).toContain(`${path}  10000000000 `);
  expect((await set('1')).output).toMatch(/after {3}1\nconfiguration \d+, #\d+ in the ledger/);
});

test.each([
  [['set', 'games.slot-machine.rules', 'slot-9', '--reason', 'x'], 'unknown rules slot-9', 1],
  [['show', 'nothing'], 'unknown path: nothing', 1],
  [['drop'], 'show [PATH]', 2],
  [['show', '--nothing'], "Unknown option '--nothing'", 2],
])('%j changes nothing and prints the reason', async (words, fault, exitCode) => {
  const before = await readHead(site.pool);
  const { code, output } = await config(...words);
  expect({ code, output }).toEqual({ code: exitCode, output: expect.stringContaining(fault) });
  expect(output).not.toMatch(/^ +at /m);
  expect(await readHead(site.pool)).toEqual(before);
});

test('invalid edits are refused with the reason', async () => {
  const before = await readHead(site.pool);
  const executor = startExecutor({ pool: site.pool });
  const edit = (path: string, value: string, o: Partial<ConfigEdit> = {}) =>
    changeConfig(
      { pool: site.pool, executor },
      { path, value, reason: 'a test', mayWelcome: true, ...o },
    );
  expect(await edit('exchange.enabled', 'false', { reason: ' ' })).toContain('a reason of 1 to');
  expect(await edit('exchange.tokenToPoints', '101')).toContain('multiply to more than 1');
  expect(await edit('exchange.enabled', 'true')).toBe(
    'configuration refused: exchange.enabled is true already',
  );
  expect(await edit('exchange.enabled', 'perhaps')).toContain('cannot be "perhaps"');
  expect(await edit('welcomePointsMinor', '100', { mayWelcome: false })).toContain('local chain');
  await executor.close();
  expect(await readHead(site.pool)).toEqual(before);
});
