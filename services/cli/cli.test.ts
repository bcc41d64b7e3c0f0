import { startAlertReceiver } from '@reelbook/testing/alert-receiver';
import { runFile } from '@reelbook/testing/run-file';
import { expect, test } from 'vitest';

/** `npm run reelbook -- ...`, with no setting and no ledger. */
const reelbook = (...words: readonly string[]) =>
  runFile('services/cli/main.ts', words, {
    PATH: process.env.PATH ?? '',
    DATA_DIR: '/nowhere',
  });

const { output: help, code: helpCode } = await reelbook('help');
const commands = [...help.matchAll(/^ {2}([a-z-]+) {2,}\S/gm)].map(([, name]) => name ?? '');

test('help lists the commands and the exit codes', () => {
  expect(helpCode).toBe(0);
  expect(commands).toEqual(expect.arrayContaining(['start', 'audit', 'ledger', 'keys', 'trial']));
  expect(help).toMatch(/0 {2}success.*\n.*1 {2}.*finding.*\n.*2 {2}.*\n.*3 {2}unproven/);
});

test.each(commands)('%s has a help text', async (name) => {
  const found = await reelbook('help', name);
  expect(found).toMatchObject({ code: 0, output: expect.stringContaining(name) });
});

test('--help prints the help of a command', async () => {
  expect(await reelbook('keys', '--help')).toEqual(await reelbook('help', 'keys'));
});

test.each([
  [[], 'help <command>'],
  [['toString'], 'Unknown command: toString. "npm run reelbook -- help" lists the commands.'],
  [['help', 'nothing'], 'Unknown command: nothing'],
  [['audit', '--unknown'], "Unknown option '--unknown'"],
  [['backup', 'everything'], "Unexpected argument 'everything'"],
  [['backup', '--to'], "Option '--to <value>' argument missing"],
  [['backup', '--to', 'a', '--verify', 'b'], 'not both'],
  [['config', 'set', 'path'], 'set PATH VALUE'],
  [['operator', 'add', 'wallet', '--role', 'king'], '--role must be viewer'],
  [['alert-test'], 'ALERT_WEBHOOK_URL is not set'],
  [['cashier', 'steal'], 'approve WITHDRAWAL'],
  [['ledger', 'diff', 'config'], 'There is no ledger'],
])('%j is refused with code 2: %s', async (words, why) => {
  expect(await reelbook(...words)).toEqual({ code: 2, output: expect.stringContaining(why) });
});

test('alert-test reaches the receiver with a valid signature, and reports a refusal', async () => {
  const receiver = await startAlertReceiver();
  try {
    const send = (settings: Readonly<Record<string, string>>) =>
      runFile('services/cli/main.ts', ['alert-test'], {
        PATH: process.env.PATH ?? '',
        ...settings,
      });
    const sent = await send(receiver.environment);
    expect(sent).toEqual({
      code: 0,
      output: expect.stringContaining('The receiver accepted both messages.'),
    });
    const types = receiver.alerts.map(({ type, data }) => [type, data.alert]);
    expect(types).toEqual([
      ['alert.opened', 'test'],
      ['alert.resolved', 'test'],
    ]);
    expect(receiver.forged).toEqual([]);
    receiver.respond((response) => void response.writeHead(401).end());
    const refused = await send(receiver.environment);
    expect(refused).toEqual({ code: 2, output: expect.stringContaining('did not accept') });
  } finally {
    await receiver.close();
  }
});
